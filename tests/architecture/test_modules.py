"""Route modules and tables are found by the code: being there is enough, and nothing that is there is left out."""

from __future__ import annotations

from collections import Counter

from flask import Flask
from sqlalchemy import inspect

from app.core.modules import modules_named
from app.extensions import db
from config import ROOT


def dotted(name: str) -> list[str]:
    """Return every module with this name, as a walk over the folders finds them."""
    paths = sorted(path.relative_to(ROOT).with_suffix("") for path in (ROOT / "app").rglob(f"{name}.py"))
    return [".".join(path.parts) for path in paths]


def test_modules_are_found_in_every_package_and_always_in_the_same_order() -> None:
    assert [module.__name__ for module in modules_named("routes")] == dotted("routes")
    assert {"app.accounts.models", "app.posts.models"} <= {module.__name__ for module in modules_named("models")}


def test_every_route_module_is_registered(whole_app: Flask) -> None:
    assert sorted(blueprint.import_name for blueprint in whole_app.blueprints.values()) == dotted("routes")


def test_every_blueprint_has_the_name_of_its_package(whole_app: Flask) -> None:
    """Of the package, for its main pages, or of the part of it; of both, where others have a part of that name."""
    for blueprint in whole_app.blueprints.values():
        _, package, *part, _ = blueprint.import_name.split(".")
        assert blueprint.name in {package, *part, "_".join([package, *part])}, blueprint.import_name


def test_no_two_views_answer_the_same_address(whole_app: Flask) -> None:
    """Which of the two would win depends on the order of registration, which nobody should have to know."""
    answers = Counter((rule.rule, method) for rule in whole_app.url_map.iter_rules() for method in rule.methods or ())
    assert [address for address, views in answers.items() if views > 1 and address[1] not in {"HEAD", "OPTIONS"}] == []


def test_every_table_is_declared_in_a_models_module() -> None:
    """A model elsewhere would be missing where only the `models` modules are imported, as in a migration."""
    modules_named("models")
    mapped = {mapper.local_table.name: mapper.class_.__module__ for mapper in db.Model.registry.mappers}  # type: ignore[attr-defined]
    assert {table: module for table, module in mapped.items() if not module.endswith(".models")} == {}
    assert set(mapped) == set(db.metadata.tables)


def test_the_migrated_database_has_the_declared_tables_and_no_others(whole_app: Flask) -> None:
    with whole_app.app_context():
        migrated = inspect(db.engine).get_table_names()
    partitions = {table for table in migrated if table.startswith("activity_")}  # made by the month
    assert set(migrated) - partitions - {"alembic_version"} == set(db.metadata.tables)
