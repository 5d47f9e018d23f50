"""How well does a language model play a role?

The program `audition` does the work; this module starts it and hands its results over as data frames.

    import audition

    run = audition.run("suite.yaml", models=["my-model"], judges=["gpt-4o"])
    run.board()                       # a row per model
    run.samples()                     # a row per answer, streamed from the database
    audition.check("suite.yaml", "my-model", at_least=7.5, judges=["gpt-4o"])   # in a test

Frames are pandas', Parquet needs pyarrow: `pip install pandas pyarrow`.
"""
from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence

if TYPE_CHECKING:
    import pandas

__all__ = ["Fault", "Run", "check", "import_parquet", "program", "ratings", "run", "runs"]

_SAMPLES = """
SELECT s.id AS sample, m.name AS model, i.name AS item, s.repeat AS repeat, s.state AS state,
       s.answer AS answer, s.thinking AS thinking, s.finish AS finish, s.tokens_in AS tokens_in,
       s.tokens_out AS tokens_out, s.cost AS cost, s.elapsed_ms AS elapsed_ms, s.fault AS fault, s.why AS why
  FROM sample s JOIN run r ON r.id = s.run JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
 WHERE r.name = {name} ORDER BY i.position, m.id, s.repeat"""

_VERDICTS = """
SELECT v.id AS verdict, j.name AS judge, m.name AS model, i.name AS item, s.repeat AS repeat,
       v.repeat AS judge_repeat, v.state AS state, k.dimension AS dimension, k.value AS value,
       k.analysis AS analysis, v.shown AS shown, v.choice AS choice, o.name AS other, v.fault AS fault, v.why AS why
  FROM verdict v JOIN run r ON r.id = v.run JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample
  JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item LEFT JOIN mark k ON k.verdict = v.id
  LEFT JOIN sample t ON t.id = v.other LEFT JOIN model o ON o.id = t.model
 WHERE r.name = {name} ORDER BY v.id, k.dimension"""


class Fault(RuntimeError):
    """The program ended with a fault; `code` is its exit code, the text what it said."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def program() -> str:
    """The path of the program: of this installation, or else the first on PATH."""
    own = os.path.join(sysconfig.get_path("scripts"), "audition")
    found = own if os.access(own, os.X_OK) else shutil.which("audition")
    if not found:
        raise FileNotFoundError("the program audition is neither in this environment nor on PATH")
    return found


def _call(arguments: Sequence[str], allowed: Sequence[int] = (0,)) -> str:
    done = subprocess.run([program(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode not in allowed:
        raise Fault(done.returncode, done.stderr.strip() or done.stdout.strip())
    return done.stdout


def _flags(options: dict[str, Any]) -> Iterator[str]:
    """max_retries=3 becomes --max-retries 3; True stands alone; a list repeats the option."""
    for key, value in options.items():
        name = "--" + key.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                yield name
            elif one is not None and one is not False:
                yield from (name, str(one))


@dataclass(frozen=True)
class Run:
    """A run in a database: an SQLite file, or a postgresql:// address (which needs psycopg)."""

    name: str
    db: str = "audition.db"

    def _query(self, sql: str) -> pandas.DataFrame:
        import pandas

        if self.db.startswith(("postgresql://", "postgres://")):
            import psycopg

            connection, slot = psycopg.connect(self.db), "%s"
        else:
            connection, slot = sqlite3.connect(f"file:{Path(self.db).resolve()}?mode=ro", uri=True), "?"
        try:
            cursor = connection.cursor()
            cursor.execute(sql.format(name=slot), (self.name,))
            return pandas.DataFrame.from_records(cursor, columns=[column[0] for column in cursor.description])
        finally:
            connection.close()

    def _may_leave(self, sensitive: bool) -> None:
        if sensitive:
            return
        frozen = self._query("SELECT frozen FROM run WHERE name = {name}")["frozen"]
        if len(frozen) and json.loads(frozen[0]).get("sensitive"):
            raise Fault(2, f"run {self.name} is of a sensitive suite; pass sensitive=True to read its texts")

    def report(self) -> dict[str, Any]:
        """What `audition report --json` says: run, suite, models, judges, faults, flags."""
        said: dict[str, Any] = json.loads(_call(["report", self.name, "--db", self.db, "--json", "--samples", "0"]))
        return said

    def board(self) -> pandas.DataFrame:
        """A row per model: name, score.value, score.lo, score.hi, counts, and each dimension."""
        import pandas

        return pandas.json_normalize(self.report()["models"])

    def samples(self, sensitive: bool = False) -> pandas.DataFrame:
        """A row per answer, streamed from the database."""
        self._may_leave(sensitive)
        return self._query(_SAMPLES)

    def verdicts(self, sensitive: bool = False) -> pandas.DataFrame:
        """A row per verdict and dimension; unscored verdicts have no value."""
        self._may_leave(sensitive)
        return self._query(_VERDICTS)

    def to_parquet(self, folder: str | os.PathLike[str], sensitive: bool = False) -> list[Path]:
        """board.parquet, samples.parquet and verdicts.parquet in the folder."""
        frames = {"board": self.board(), "samples": self.samples(sensitive), "verdicts": self.verdicts(sensitive)}
        files = []
        for name, frame in frames.items():
            files.append(Path(folder) / f"{name}.parquet")
            files[-1].parent.mkdir(parents=True, exist_ok=True)
            frame.to_parquet(files[-1], index=False)
        return files

    def _numbers(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Each model with all its numbers, by dotted names."""

        def walk(prefix: str, value: Any) -> Iterator[tuple[str, float]]:
            if isinstance(value, dict):
                for key, inner in value.items():
                    yield from walk(f"{prefix}.{key}" if prefix else key, inner)
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                yield prefix, float(value)

        for model in self.report()["models"]:
            yield model["name"], dict(walk("", model))

    def to_mlflow(self, folder: str | os.PathLike[str] = "mlruns") -> list[Path]:
        """A file store as MLflow reads it (`mlflow ui --backend-store-uri FOLDER`): a run per model."""
        head = self.report()
        store = Path(folder)
        experiment = str(int(head["run"]["key"][:15], 16))
        when = _milliseconds(head["run"]["created"])
        _write(store / experiment / "meta.yaml", _yaml({
            "artifact_location": (store / experiment).resolve().as_uri(), "creation_time": when,
            "experiment_id": experiment, "last_update_time": when, "lifecycle_stage": "active",
            "name": f"{head['suite']['id']} {self.name}"}))
        made = []
        for name, numbers in self._numbers():
            one = _id(head["run"]["key"], name)
            made.append(store / experiment / one)
            _write(made[-1] / "meta.yaml", _yaml({
                "artifact_uri": (made[-1] / "artifacts").resolve().as_uri(), "end_time": when,
                "entry_point_name": "", "experiment_id": experiment, "lifecycle_stage": "active", "run_id": one,
                "run_name": name, "run_uuid": one, "source_name": "", "source_type": 4, "source_version": "",
                "start_time": when, "status": 3, "tags": [], "user_id": "audition"}))
            for folder_name, values in (
                ("metrics", {key: f"{when} {value!r} 0" for key, value in numbers.items()}),
                ("params", {"model": name, "suite": head["suite"]["id"], "seed": head["run"]["seed"]}),
                ("tags", {"mlflow.runName": name, "audition.run": self.name}),
            ):
                for key, value in values.items():
                    _write(made[-1] / folder_name / key, f"{value}")
            (made[-1] / "artifacts").mkdir(exist_ok=True)
        return made

    def to_wandb(self, folder: str | os.PathLike[str] = "wandb") -> list[Path]:
        """Files as W&B keeps them: config, history and summary of a run per model."""
        head = self.report()
        stamp = head["run"]["created"].translate(str.maketrans("T", "_", "-:Z"))
        made = []
        for name, numbers in self._numbers():
            made.append(Path(folder) / f"run-{stamp}-{_id(self.name, name)[:8]}" / "files")
            config = {"model": name, "suite": head["suite"]["id"], "seed": head["run"]["seed"], "run": self.name}
            _write(made[-1] / "config.yaml", _yaml({key: {"value": value} for key, value in config.items()}))
            _write(made[-1] / "wandb-history.jsonl", json.dumps({"_step": 0, **numbers}) + "\n")
            _write(made[-1] / "wandb-summary.json", json.dumps(numbers, indent=2) + "\n")
        return made


def _id(*parts: str) -> str:
    """The same on every machine."""
    return hashlib.sha256("/".join(parts).encode()).hexdigest()[:32]


def _milliseconds(when: str) -> int:
    from datetime import datetime

    return int(datetime.fromisoformat(when.replace("Z", "+00:00")).timestamp() * 1000)


def _yaml(value: dict[str, Any]) -> str:
    """JSON values are YAML values."""
    return "".join(f"{key}: {json.dumps(inner)}\n" for key, inner in value.items())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(suite: str | os.PathLike[str], models: Sequence[str], judges: Sequence[str] = (), *,
        db: str = "audition.db", config: str | os.PathLike[str] | None = None, **options: Any) -> Run:
    """Run a suite; the same call resumes what was interrupted. Further options as of `audition run`:
    limit=3, repeat=2, max_concurrency=8, retry_failed=True. Raises Fault unless all was asked; what stayed
    unscored is counted on the board."""
    arguments = ["run", os.fspath(suite), "--db", db, "--json", "--quiet"]
    if config is not None:
        arguments += ["--config", os.fspath(config)]
    arguments += _flags({"model": list(models), "judge": list(judges), **options})
    return Run(json.loads(_call(arguments, (0, 3)))["run"], db)


def runs(db: str = "audition.db") -> pandas.DataFrame:
    """The runs of a database, newest first."""
    import pandas

    return pandas.json_normalize(json.loads(_call(["list", "--json", "--db", db])))


def ratings(campaign: str, db: str = "audition.db") -> pandas.DataFrame:
    """What people gave, a row per mark. Names of models are hidden until the campaign is unmasked."""
    import io

    import pandas

    return pandas.read_csv(io.StringIO(_call(["campaign", "export", campaign, "--db", db])))


def check(suite: str | os.PathLike[str], model: str, at_least: float, judges: Sequence[str] = (), **options: Any) -> Run:
    """One line for a test: run the suite, and fail unless the model's score is at least that."""
    done = run(suite, [model], judges, **options)
    score = next(one["score"] for one in done.report()["models"] if one["name"] == model)
    value = score["value"]
    found = "no score" if value is None else f"{value:.2f} ({score['lo']:.2f} to {score['hi']:.2f})" \
        if score.get("lo") is not None else f"{value:.2f}"
    assert value is not None and value >= at_least, f"{model}: {found}, expected at least {at_least}: run {done.name}"
    return done


def import_parquet(file: str | os.PathLike[str], suite: str | os.PathLike[str], *, model: str | None = None,
                   db: str = "audition.db") -> Run:
    """Answers made elsewhere: a Parquet file with columns item, answer and (or pass it) model, perhaps repeat."""
    import pyarrow.parquet

    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as lines:
        for batch in pyarrow.parquet.ParquetFile(file).iter_batches():
            for row in batch.to_pylist():
                known = {key: row[key] for key in ("model", "item", "answer", "repeat") if row.get(key) is not None}
                lines.write(json.dumps(known, ensure_ascii=False) + "\n")
        lines.flush()
        arguments = ["import", lines.name, "--suite", os.fspath(suite), "--db", db, "--json"]
        return Run(json.loads(_call(arguments + (["--model", model] if model else [])))["run"], db)
