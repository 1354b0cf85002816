"""Every operation of the OpenAPI schema, called with what schemathesis makes up: it answers as the schema says."""

import pytest
import schemathesis
import schemathesis.specs.openapi.checks as checks
from hypothesis import HealthCheck, Phase, settings

from web.conftest import Lab
from zermelo.core import JIT
from zermelo.web.app import create_app
from zermelo.web.settings import Settings

pytestmark = pytest.mark.skipif(not JIT, reason="the requests are the same, and the searches take minutes")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    started = Lab(Settings(data=tmp_path_factory.mktemp("data"), most_seconds=0.05))
    yield started
    started.stop()


CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]

schema = schemathesis.openapi.from_dict(create_app().openapi())


@schema.parametrize()
@settings(
    max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
def test_the_api_keeps_to_its_schema(case, lab):
    case.headers = {**(case.headers or {}), "X-Zermelo-Token": lab.app.state.token}
    case.cookies = {**(case.cookies or {}), **lab.cookies}
    case.call_and_validate(base_url=lab.address, checks=CHECKS, timeout=120)
