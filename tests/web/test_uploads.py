"""A view that takes files says so beside its route: which field, and how large its form may be."""

from __future__ import annotations

from flask import Flask

from app.posts.media.operations import MAX_IMAGES
from app.takeout.importing.reading import MAX_BYTES


def test_the_views_that_take_files_and_how_many_bytes(whole_app: Flask) -> None:
    config = whole_app.config
    declared = {
        endpoint: (view.upload.field, view.upload.max_bytes(config))
        for endpoint, view in whole_app.view_functions.items()
        if hasattr(view, "upload")
    }
    image, text = config["IMAGE_MAX_BYTES"], config["MAX_CONTENT_LENGTH"]
    assert declared == {
        "settings.profile": ("avatar", config["AVATAR_MAX_BYTES"]),
        "site_settings.site_settings": ("icon", config["AVATAR_MAX_BYTES"] + text),
        "media.create_image": ("image", image + text),
        "posts.create_post": ("image", MAX_IMAGES * image + text),
        "takeout.create_import": ("file", 8 * MAX_BYTES),  # a larger one is refused at its field
    }
