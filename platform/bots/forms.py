"""The forms of a bot's author."""

import hashlib
from typing import Any, ClassVar

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.archive import ENTRY_POINT, MAX_SOURCE_BYTES, MAX_ZIP_BYTES, ArchiveError, read_upload
from bots.models import Bot, BotVersion
from bots.names import validate_name
from bots.refusals import said


class UploadForm(forms.Form):
    """One version: a file, or the code itself. After `is_valid`, `upload` is what was handed in."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=_("One .py file, or a .zip with bot.py at its top."),
        widget=forms.FileInput(attrs={"accept": ".py,.zip"}),
    )
    code = forms.CharField(
        label=_("Code"),
        required=False,
        strip=False,
        max_length=MAX_SOURCE_BYTES,
        help_text=_("Paste the whole of bot.py here instead."),
        widget=forms.Textarea(
            attrs={"class": "code", "rows": 16, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"}
        ),
        error_messages={"max_length": _("This is more than 256 KB of code. Upload a .zip instead.")},
    )

    # The digest of a text that the form itself put into `code`, so that a corrected file may simply be chosen.
    kept = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    upload: tuple[str, bytes]
    source: str
    """The field in which the upload came."""

    use_required_attribute = False

    def refuse(self, field: str, sentence: str) -> None:
        """Say beside a field why the valid form was refused after all, and keep what was handed in."""
        self.add_error(field, sentence)
        if self.source == "file":
            self._keep(*self.upload)

    def clean_code(self) -> str:
        """The code with the line ends it was written with: a browser sends every one as CR and LF."""
        code: str = self.cleaned_data["code"]
        return code.replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        chosen: UploadedFile[bytes] | None = values.get("file")
        code: str = values.get("code") or ""
        pasted = bool(code.strip()) and not (chosen and values.get("kept") == digest(code))
        if chosen and pasted:
            self.add_error("code", gettext("You chose a file and pasted code. Keep one of them and empty the other."))
        elif chosen:
            # A byte more than any upload may have is enough for the archive to refuse it by its size.
            self._take("file", chosen.name or "", chosen.read(MAX_ZIP_BYTES + 1))
        elif pasted:
            self._take("code", ENTRY_POINT, code.encode("utf-8", "replace"))
        elif "code" not in self.errors:
            self.add_error("file", gettext("Choose a file, or paste the code below."))
        return values

    def _take(self, field: str, filename: str, content: bytes) -> None:
        try:
            read_upload(filename, content)
        except ArchiveError as error:
            self.add_error(field, said(error))
        else:
            self.upload, self.source = (filename, content), field
        if self.errors and field == "file":
            self._keep(filename, content)

    def _keep(self, filename: str, content: bytes) -> None:
        """A browser forgets a chosen file when its form comes back. Its code goes into the field for code instead."""
        if not filename.lower().endswith(".py") or len(content) > MAX_SOURCE_BYTES:
            return
        try:
            text = content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            return
        if "\0" not in text:
            self.data = {
                **dict(self.data.items()),
                self.add_prefix("code"): text,
                self.add_prefix("kept"): digest(text),
            }


class NewBotForm(UploadForm):
    """A bot and its first version."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("As the tables show it. You can change it later."),
        error_messages={"required": _("Give your bot a name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=2000,
        help_text=_("What is the idea behind it? Everyone can read this."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    field_order = ("name", "file", "code", "description")

    def __init__(self, *args: Any, owner: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        refuse_taken_name(self.owner, name)
        return name


class EditBotForm(forms.ModelForm):  # type: ignore[type-arg] # no generic at run time
    """What can be changed about a bot itself."""

    class Meta:
        model = Bot
        fields = ("name", "description")
        labels: ClassVar = {"name": _("Name")}
        error_messages: ClassVar = {"name": {"required": _("Give your bot a name.")}}
        widgets: ClassVar = {"description": forms.Textarea(attrs={"rows": 4})}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if self.instance.hidden_name and name != self.initial["name"]:
            raise forms.ValidationError(gettext("Staff has hidden the name of this bot, so it cannot be changed now."))
        refuse_taken_name(self.instance.owner, name, but=self.instance)
        return name


class PickForm(forms.Form):
    """Which version plays; none means always the newest that is ready."""

    version = forms.ModelChoiceField(queryset=BotVersion.objects.none(), required=False)

    def __init__(self, *args: Any, bot: Bot, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["version"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - tells the type checker what stands above
        field.queryset = BotVersion.objects.filter(bot=bot, state=BotVersion.State.READY)


def digest(text: str) -> str:
    """Tells whether a text is still the one it was."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def refuse_taken_name(owner: Any, name: str, but: Bot | None = None) -> None:
    """A name must be one that can stand in a table, and an owner tells his bots apart by their names.

    Raises:
        ValidationError: it cannot, or he has one of this name, whatever its capitals.
    """
    validate_name(name)
    taken = Bot.objects.filter(owner=owner, name__iexact=name)
    if but is not None:
        taken = taken.exclude(pk=but.pk)
    if taken.exists():
        raise forms.ValidationError(gettext("You have a bot named “%(name)s” already.") % {"name": name})
