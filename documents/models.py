"""A source, its immutable versions, what was read in them and the pieces that search finds."""

from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q, Value
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from documents.access import Reader, course_document_ids
from documents.correcting import Correction, Place
from documents.errors import FAULTS_OF_FILE
from documents.folding import folded
from documents.storage import version_path
from skillnet.models import Classification, Group, GroupMember, Membership
from skillnet.tenancy import TenantModel, TenantQuerySet

BY_TITLE = (folded(F("title")), "pk")  # as a reader looks for them: case and accents apart


class Collection(TenantModel):
    """Documents that belong together («Ventas», «Cocina»)."""

    name = models.CharField(_("nombre"), max_length=120)
    late_interaction = models.BooleanField(
        _("comparar palabra por palabra"),
        default=True,
        db_default=True,
        help_text=_("Ordena mejor los resultados y acierta más al decir que algo no está. Ocupa más espacio."),
    )
    settings = models.JSONField(_("ajustes"), default=dict, blank=True)

    class Meta:
        verbose_name = _("colección")
        verbose_name_plural = _("colecciones")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["organization", "name"], name="one_collection_a_name")]

    def __str__(self) -> str:
        return self.name


class Audience(models.TextChoices):
    EVERYONE = "everyone", _("Todas las personas")
    GROUPS = "groups", _("Solo algunos grupos")
    COURSES = "courses", _("Solo quien está inscrito en sus cursos")


class DocumentQuerySet(TenantQuerySet):
    def readable_by(self, reader: Reader) -> Self:
        """Documents that `reader` may know of. Search, lists, citations and downloads all start here."""
        if reader.sees_everything:
            return self
        groups = GroupMember.objects.filter(user=reader.user_id).values("group_id")
        return self.filter(
            Q(audience=Audience.EVERYONE)
            | Q(
                audience=Audience.GROUPS, pk__in=DocumentAudience.objects.filter(group__in=groups).values("document_id")
            )
            | Q(audience=Audience.COURSES, pk__in=course_document_ids(reader))
            | Q(created_by=reader.user_id),  # who uploaded it does not lose sight of it
            classification__lte=reader.clearance,
        )

    def open_to(self, membership: Membership) -> Self:
        """What a member may know of, in that member's organization."""
        return self.for_organization(membership.organization_id).readable_by(Reader.of(membership))

    def served(self) -> Self:
        """Documents with a version that search uses."""
        return self.filter(active_version__isnull=False)

    def unreadable(self) -> Self:
        """Documents without any text: no version is served, and none is being read."""
        unfinished = DocumentVersion.objects.filter(document=OuterRef("pk")).unfinished()
        return self.filter(~Exists(unfinished), active_version__isnull=True)


class Document(TenantModel):
    title = models.CharField(_("título"), max_length=300)
    title_is_given = models.BooleanField(
        default=False, help_text="by a person; else the file's own title may replace it"
    )
    collection = models.ForeignKey(
        Collection, models.SET_NULL, null=True, blank=True, related_name="documents", verbose_name=_("colección")
    )
    classification = models.PositiveSmallIntegerField(
        _("clasificación"), choices=Classification, default=Classification.INTERNAL
    )
    audience = models.CharField(_("audiencia"), max_length=10, choices=Audience, default=Audience.EVERYONE)
    tags = ArrayField(models.CharField(max_length=60), default=list, blank=True, verbose_name=_("etiquetas"))
    language = models.CharField(_("idioma"), max_length=2, default="es")
    document_date = models.DateField(
        _("fecha del documento"), null=True, blank=True, help_text=_("La que lleva el propio documento, si la tiene.")
    )
    active_version = models.OneToOneField(
        "DocumentVersion", models.SET_NULL, null=True, blank=True, related_name="document_where_active"
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = DocumentQuerySet.as_manager()

    class Meta:
        verbose_name = _("documento")
        verbose_name_plural = _("documentos")
        ordering = [*BY_TITLE]

    def __str__(self) -> str:
        return self.title


class DocumentAudience(TenantModel):
    """A group that may read a document whose audience is «groups»."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="audience_groups")
    group = models.ForeignKey(Group, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "group"], name="one_audience_a_group")]

    def __str__(self) -> str:
        return f"{self.document} · {self.group}"


class Status(models.TextChoices):
    PENDING = "pending", _("En cola")
    PARSING = "parsing", _("Leyendo")
    CHUNKING = "chunking", _("Ordenando")
    EMBEDDING = "embedding", _("Preparando la búsqueda")
    READY = "ready", _("Listo")
    READY_WITH_WARNINGS = "ready_with_warnings", _("Listo, con avisos")
    FAILED = "failed", _("Con problemas")
    CANCELLED = "cancelled", _("Cancelado")


FINAL_STATUSES = frozenset({Status.READY, Status.READY_WITH_WARNINGS, Status.FAILED, Status.CANCELLED})
READY_STATUSES = frozenset({Status.READY, Status.READY_WITH_WARNINGS})


class VersionQuerySet(TenantQuerySet):
    def unfinished(self) -> Self:
        return self.exclude(status__in=FINAL_STATUSES)


class DocumentVersion(TenantModel):
    """One upload of a document. The file never changes; the status says how far its ingestion has come."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(_("versión"))
    serving_order = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text="the ready version with the highest is served: the number's order, until one is restored",
    )
    file = models.FileField(_("archivo"), upload_to=version_path, max_length=300)
    file_name = models.CharField(_("nombre del archivo"), max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(_("tamaño"))
    media_type = models.CharField(max_length=100, blank=True)
    page_count = models.PositiveIntegerField(
        _("páginas"), default=0, help_text="by the length of the text where the format has no pages"
    )
    part_count = models.PositiveIntegerField(default=0, db_default=0, help_text="slides or sheets, where it has those")
    chunk_count = models.PositiveIntegerField(
        default=0, db_default=0, help_text="once served; search chooses its method by it"
    )
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)

    status = models.CharField(_("estado"), max_length=20, choices=Status, default=Status.PENDING)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    attempt_count = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True, blank=True)
    step_at = models.DateTimeField(auto_now_add=True, help_text="when a worker last moved this version on")
    error_code = models.CharField(max_length=40, blank=True)
    error_message = models.TextField(blank=True)

    pages_without_text = ArrayField(models.PositiveIntegerField(), default=list, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    has_token_vectors = models.BooleanField(
        default=False, db_default=False, help_text="once served; see documents.token_upkeep"
    )
    embedding_model = models.ForeignKey("EmbeddingModel", models.PROTECT, null=True, blank=True, related_name="+")
    vectors_pending = models.BooleanField(default=False, help_text="served by words alone until the embedder is back")

    objects: ClassVar = VersionQuerySet.as_manager()

    class Meta:
        verbose_name = _("versión")
        verbose_name_plural = _("versiones")
        ordering = ["document", "-number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_version_a_number")]
        indexes = [
            models.Index(fields=["organization", "sha256"], name="version_sha256"),
            models.Index(
                fields=["step_at"],
                name="version_unfinished",
                condition=~Q(status__in=["ready", "ready_with_warnings", "failed", "cancelled"])
                | Q(vectors_pending=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document} · v{self.number}"

    def save(self, **kwargs: Any) -> None:
        if not self.serving_order:
            self.serving_order = self.number
        super().save(**kwargs)

    @property
    def is_final(self) -> bool:
        return self.status in FINAL_STATUSES

    @property
    def is_ready(self) -> bool:
        return self.status in READY_STATUSES

    @property
    def needs_other_file(self) -> bool:
        """Whether it failed for what its file is, so that reading it again fails again."""
        return self.status == Status.FAILED and self.error_code in FAULTS_OF_FILE


class ParsedContent(TenantModel):
    """What was read in a version: blocks as JSON and the same as Markdown, to which chunks' character spans refer."""

    version = models.OneToOneField(DocumentVersion, models.CASCADE, related_name="parsed")
    blocks = models.JSONField()
    markdown = models.TextField()
    signature = ArrayField(models.BigIntegerField(), null=True, help_text="of its words, see documents.similarity")

    def __str__(self) -> str:
        return f"{self.version}"


class BlockCorrection(TenantModel):
    """A change that a person made in what was read: of a block's text, or of one cell where the block is a table."""

    version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="corrections")
    block_index = models.PositiveIntegerField(help_text="0-based, among the version's blocks")
    row = models.PositiveIntegerField(null=True, help_text="0-based, of a table's cell")
    column = models.PositiveIntegerField(null=True)
    heading_path = ArrayField(models.TextField(), default=list, help_text="of the block as it was before")
    before = models.TextField()
    after = models.TextField()
    corrected_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    corrected_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("corrección")
        verbose_name_plural = _("correcciones")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.version}: {self.before[:40]} → {self.after[:40]}"

    @property
    def as_plain(self) -> Correction:
        """The same without the database."""
        return Correction(
            Place(self.block_index, self.row, self.column), self.before, self.after, tuple(self.heading_path)
        )


class EmbeddingModel(models.Model):
    """A model whose vectors are stored. Shared by all organizations: it holds no one's data."""

    name = models.CharField(max_length=200)
    dimensions = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "dimensions"], name="one_row_a_model")]

    def __str__(self) -> str:
        return self.name


class Chunk(TenantModel):
    """The stored unit of search: a piece of the version that a document serves, or a draft of one."""

    # Null while a version is being (re)read: no search finds drafts, and they replace what was served at once.
    version = models.ForeignKey(DocumentVersion, models.CASCADE, null=True, related_name="chunks")
    draft_of = models.ForeignKey(DocumentVersion, models.CASCADE, null=True, related_name="draft_chunks")
    position = models.PositiveIntegerField(help_text="0-based reading order within the version")
    kind = models.CharField(max_length=12)
    text = models.TextField()
    meaning_text = models.TextField(help_text="what the embedder sees: document and section, then the text")
    heading = models.TextField(blank=True, help_text="the heading path as one line of text")
    heading_path = ArrayField(models.TextField(), default=list)
    level = models.PositiveSmallIntegerField(default=0)
    page_start = models.PositiveIntegerField(null=True)
    page_end = models.PositiveIntegerField(null=True)
    locator = models.JSONField(default=dict)
    rows = models.JSONField(null=True)
    language = models.CharField(max_length=2, default="es")
    char_start = models.PositiveIntegerField()
    char_end = models.PositiveIntegerField()
    token_count = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    # The stemmer needs accents (educación, educaciones) and people omit them: the function keeps both forms. It adds
    # the organization as one more lexeme, so that the index that all share finds one organization's chunks by itself.
    search_vector = models.GeneratedField(
        expression=Func("language", "heading", "text", "organization", function="skillnet_chunk_vector"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
    # On its own as well, so that a match in the heading can weigh more.
    heading_vector = models.GeneratedField(
        expression=Func("language", "heading", Value(""), function="skillnet_search_vector"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        ordering = ["version", "position"]
        constraints = [
            models.UniqueConstraint(fields=["version", "position"], name="one_chunk_a_position"),
            models.UniqueConstraint(fields=["draft_of", "position"], name="one_draft_a_position"),
            models.CheckConstraint(
                condition=Q(version__isnull=True, draft_of__isnull=False)
                | Q(version__isnull=False, draft_of__isnull=True),
                name="chunk_is_served_or_draft",
            ),
        ]
        indexes = [
            GinIndex(fields=["search_vector"], name="chunk_search_vector"),
            models.Index(fields=["organization", "content_hash"], name="chunk_content_hash"),
        ]

    def __str__(self) -> str:
        return f"{self.version or self.draft_of} #{self.position}"

    @property
    def text_offset(self) -> int:
        """Where the text begins in `meaning_text`."""
        return max(0, len(self.meaning_text) - len(self.text))


class ChunkEmbedding(TenantModel):
    """A chunk's vector in one model's space. A table of its own: narrow rows make exact search twice as fast, and
    two models' vectors can stand side by side while one replaces the other."""

    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="embeddings")
    version = models.ForeignKey(
        DocumentVersion, models.CASCADE, null=True, related_name="+", help_text="the chunk's: spares search a join"
    )
    model = models.ForeignKey(EmbeddingModel, models.PROTECT, related_name="+")
    vector = VectorField()  # dimensions belong to the model
    tokens = models.BinaryField(null=True, help_text="see documents.token_vectors; null where nothing reads them")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chunk", "model"], name="one_embedding_a_model")]

    def __str__(self) -> str:
        return f"{self.chunk} · {self.model}"


class ServingModel(TenantModel):
    """Which model an organization is searched with since its vectors were last made anew, and which is to follow.

    Without a row that is the configured model. See documents.reindexing.
    """

    model = models.ForeignKey(EmbeddingModel, models.PROTECT, null=True, related_name="+", verbose_name=_("modelo"))
    source = models.CharField(max_length=300, blank=True, help_text="what EMBEDDING_MODEL would say to load it")
    next_model = models.ForeignKey(
        EmbeddingModel, models.PROTECT, null=True, related_name="+", verbose_name=_("modelo siguiente")
    )
    next_source = models.CharField(max_length=300, blank=True)
    switched_at = models.DateTimeField(_("cambiado el"), null=True)
    is_tidy = models.BooleanField(default=True, help_text="whether vectors of models it was searched with are gone")

    class Meta:
        verbose_name = _("modelo de búsqueda")
        verbose_name_plural = _("modelos de búsqueda")
        constraints = [models.UniqueConstraint(fields=["organization"], name="one_serving_model_an_organization")]

    def __str__(self) -> str:
        return f"{self.organization}: {self.model or '-'} → {self.next_model or '-'}"


class IngestionTurn(TenantModel):
    """When an organization's ingestion last had its turn: the one that waited longest is next."""

    served_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization"], name="one_turn_an_organization")]

    def __str__(self) -> str:
        return f"{self.organization}: {self.served_at}"


class TermStatistic(TenantModel):
    """In how many of the organization's served chunks a lexeme stands: what BM25 weighs words with."""

    # Its unique constraint already begins with the organization; an index of its own misleads the planner.
    organization = models.ForeignKey("skillnet.Organization", models.CASCADE, related_name="+", db_index=False)
    language = models.CharField(max_length=2)
    lexeme = models.TextField()
    chunk_count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "language", "lexeme"], name="one_count_a_lexeme")
        ]
        indexes = [
            models.Index(
                F("organization"),
                Func(F("lexeme"), function="skillnet_sound", output_field=models.TextField()),
                name="termstatistic_sound",
            )
        ]

    def __str__(self) -> str:
        return f"{self.lexeme}: {self.chunk_count}"


class CorpusStatistic(TenantModel):
    """How many served chunks an organization has, and how long they are in all (in tokens)."""

    chunk_count = models.PositiveBigIntegerField(default=0)
    length_total = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization"], name="one_corpus_an_organization")]

    def __str__(self) -> str:
        return f"{self.organization}: {self.chunk_count}"
