"""What an open page asks for when the server was started again."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

router = APIRouter()


class Session(BaseModel):
    """What an open page needs after the server was started again."""

    token: str = Field(description="The value of the header X-Zermelo-Token in requests that change something.")
    version: str = Field(description="The version of zermelo.")


@router.get("/api/session", tags=["lab"])
def session(request: Request) -> Session:
    """The token that every request must carry that changes something."""
    return Session(token=request.app.state.token, version=request.app.version)
