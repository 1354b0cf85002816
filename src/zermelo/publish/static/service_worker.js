// Keeps the whole site, so that it works without a network. SITE, above, has the name of this version and its files.

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SITE.name).then((cache) => cache.addAll(SITE.files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("zermelo-") && name !== SITE.name;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(SITE.name).then((cache) => cache.match(event.request, {ignoreSearch: true})).then((kept) => kept ?? fetch(event.request)));
});
