"""The benchmark's own database beside the product's, filled once and kept."""

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from django.core.management import call_command
from django.db import connections
from pgvector.psycopg import register_vector
from psycopg import sql
from synthetic import Writer, organization_sizes

from documents import term_statistics
from documents.models import Document, DocumentVersion, EmbeddingModel, Status
from skillnet import embedded
from skillnet.models import Organization
from skillnet.tenancy import organization_scope

MODEL = "synthetic"
LAYOUT = 1  # of what is made here: another number makes it anew
PROCESSES = 5


@dataclass(frozen=True, slots=True)
class Size:
    """What is made: the default, or something small to try the benchmark itself."""

    organizations: int
    chunks: int
    largest: int

    @property
    def database(self) -> str:
        return f"skillnet_scale_{LAYOUT}_{self.chunks}"


@dataclass(frozen=True, slots=True)
class _Manual:
    """A document whose chunks are still to be written."""

    organization_id: UUID
    version_id: int
    number: int
    chunk_count: int
    first_id: int


def connect(role: embedded.Role, name: str) -> psycopg.Connection[Any]:
    """A connection of its own, in autocommit."""
    url = embedded.database_url(role, name)
    return psycopg.connect(
        host=url["HOST"],
        port=url["PORT"],
        user=url["USER"],
        password=url["PASSWORD"] or None,
        dbname=name,
        autocommit=True,
        **url["OPTIONS"],
    )


def use(name: str) -> None:
    """Let Django work in that database from now on."""
    for alias in ("default", "owner"):
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name


def prepare(size: Size) -> None:
    """Make the database and fill it, unless an earlier run has; Django works in it afterwards."""
    with connect("superuser", "postgres") as server:
        known = {row[0] for row in server.execute("SELECT datname FROM pg_database").fetchall()}
    if size.database in known:
        use(size.database)
        call_command("migrate", database="owner", interactive=False, verbosity=0)
        return
    making = f"{size.database}_making"
    embedded.drop_database(making)
    embedded.create_database(making)
    use(making)
    call_command("migrate", database="owner", interactive=False, verbosity=0)
    _fill(size, making)
    use("postgres")
    with connect("superuser", "postgres") as server:
        server.execute(f'ALTER DATABASE "{making}" RENAME TO "{size.database}"')
    use(size.database)


def _fill(size: Size, name: str) -> None:
    model = EmbeddingModel.objects.create(name=MODEL, dimensions=384)
    manuals = _documents(size, model)
    connections.close_all()
    with connect("owner", name) as owner:
        [index] = owner.execute("SELECT pg_get_indexdef('chunk_search_vector'::regclass)").fetchall()
        owner.execute("DROP INDEX chunk_search_vector")  # made at the end, at once
        shares = [manuals[number::PROCESSES] for number in range(PROCESSES)]
        with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
            pool.starmap(_write, [(share, name, model.pk) for share in shares])
        owner.execute("SET maintenance_work_mem = '1GB'")
        owner.execute(index[0])
        for table in ("documents_chunk", "documents_chunkembedding"):
            counted = sql.SQL("SELECT setval(pg_get_serial_sequence({}, 'id'), (SELECT max(id) FROM {}))")
            owner.execute(counted.format(sql.Literal(table), sql.Identifier(table)))
    for organization in Organization.objects.all():
        with organization_scope(organization.pk):
            term_statistics.rebuild(organization.pk)
    with connect("owner", name) as owner:
        owner.execute("VACUUM ANALYZE")


def _documents(size: Size, model: EmbeddingModel) -> list[_Manual]:
    """Documents and their versions, in an order in which organizations take turns."""
    rng = np.random.default_rng(3)
    manuals: list[tuple[UUID, int, int]] = []
    for rank, chunk_total in enumerate(organization_sizes(size.organizations, size.chunks, size.largest)):
        organization = Organization.objects.create(slug=f"org-{rank}", name=f"Organización {rank}")
        counts = []
        while sum(counts) < chunk_total:
            wanted = int(np.clip(rng.lognormal(4.0, 0.7), 5, 400))
            counts.append(min(wanted, chunk_total - sum(counts)))
        with organization_scope(organization.pk):
            manuals += zip([organization.pk] * len(counts), _versions(organization, counts, model), counts, strict=True)
    placed: list[_Manual] = []
    first_id = 1
    for number in rng.permutation(len(manuals)):
        organization_id, version_id, chunk_count = manuals[number]
        placed.append(_Manual(organization_id, version_id, int(number), chunk_count, first_id))
        first_id += chunk_count
    return placed


def _versions(organization: Organization, counts: Sequence[int], model: EmbeddingModel) -> list[int]:
    documents = Document.objects.bulk_create(
        Document(organization=organization, title=f"Manual {number}") for number in range(len(counts))
    )
    versions = DocumentVersion.objects.bulk_create(
        DocumentVersion(
            organization=organization,
            document=document,
            number=1,
            serving_order=1,
            file_name="manual.txt",
            sha256=sha256(str(document.pk).encode()).hexdigest(),
            size=1,
            media_type="text/plain",
            page_count=1,
            chunk_count=chunk_count,
            uploaded_at=datetime.now(UTC),
            status=Status.READY,
            embedding_model=model,
        )
        for document, chunk_count in zip(documents, counts, strict=True)
    )
    for document, version in zip(documents, versions, strict=True):
        document.active_version = version
    Document.objects.bulk_update(documents, ["active_version"], batch_size=500)
    return [version.pk for version in versions]


def _write(manuals: Sequence[_Manual], name: str, model_id: int) -> None:
    writer = Writer()
    for start in range(0, len(manuals), 50):
        batch = [
            (manual, list(writer.document(manual.number, manual.chunk_count))) for manual in manuals[start : start + 50]
        ]
        with connect("owner", name) as owner, owner.transaction():
            register_vector(owner)
            cursor = owner.cursor()
            with cursor.copy(
                "COPY documents_chunk (id, organization_id, version_id, position, kind, text, meaning_text, heading, "
                "heading_path, level, locator, language, char_start, char_end, token_count, content_hash) FROM STDIN"
            ) as copy:
                for manual, pieces in batch:
                    for position, piece in enumerate(pieces):
                        copy.write_row(
                            (
                                manual.first_id + position,
                                manual.organization_id,
                                manual.version_id,
                                position,
                                "paragraph",
                                piece.text,
                                f"[Documento: Manual] [Sección: {piece.heading}]\n{piece.text}",
                                piece.heading,
                                [piece.heading],
                                1,
                                "{}",
                                "es",
                                0,
                                len(piece.text),
                                len(piece.text) // 4,
                                sha256(piece.text.encode()).hexdigest(),
                            )
                        )
            with cursor.copy(
                "COPY documents_chunkembedding (organization_id, chunk_id, version_id, model_id, vector) "
                "FROM STDIN (FORMAT BINARY)"
            ) as copy:
                copy.set_types(["uuid", "int8", "int8", "int8", "vector"])
                for manual, pieces in batch:
                    for position, piece in enumerate(pieces):
                        copy.write_row(
                            (
                                manual.organization_id,
                                manual.first_id + position,
                                manual.version_id,
                                model_id,
                                piece.vector,
                            )
                        )
