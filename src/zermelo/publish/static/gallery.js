// The gallery of a site: its words in the reader's language.

import {prepareLanguages, translatePage} from "./language.js";

translatePage();
prepareLanguages(document.getElementById("languages"));
