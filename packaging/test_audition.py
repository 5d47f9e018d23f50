"""The module as it is installed, on the recorded replies of demo/. Runs in a folder that holds demo/."""
import json

import pandas
import pytest

import audition

OPTIONS = {"config": "demo/models.yaml"}


@pytest.fixture
def done(tmp_path):
    return audition.run("demo/suite.yaml", ["steady", "grand"], ["examiner"], db=str(tmp_path / "a.db"), **OPTIONS)


def test_a_run_and_its_board(done):
    board = done.board().set_index("name")
    assert round(board.loc["steady", "score.value"], 2) == 8.54
    assert list(audition.runs(done.db)["run"]) == [done.name]


def test_answers_and_verdicts_are_those_of_the_program(done):
    lines = [json.loads(line) for line in audition._call(["export", done.name, "--what", "samples", "--db", done.db]).splitlines()]
    samples = done.samples()
    assert len(samples) == len(lines) == 48
    assert {(s["model"], s["item"], s["repeat"], s["answer"]) for s in lines} == set(
        samples[["model", "item", "repeat", "answer"]].itertuples(index=False, name=None))
    verdicts = done.verdicts()
    assert (verdicts["state"] == "done").sum() == 47
    assert verdicts.loc[verdicts["state"] != "done", "value"].isna().all()


def test_what_people_gave(done, tmp_path):
    answers = done.samples().drop_duplicates(["item", "model"])
    given = pandas.DataFrame({"rater": "ada", "passage": answers["item"], "system": answers["model"],
                              "dimension": "quality", "value": 0.75})
    given.to_csv(tmp_path / "people.csv", index=False)
    audition._call(["campaign", "import", str(tmp_path / "people.csv"), "--run", done.name, "--name", "people", "--db", done.db])
    frame = audition.ratings("people", done.db)
    assert len(frame) == len(given) and (frame["value"] == 0.75).all() and set(frame["passage"]) == set(given["passage"])


def test_parquet_out_and_in(done, tmp_path):
    files = done.to_parquet(tmp_path / "out")
    assert [file.name for file in files] == ["board.parquet", "samples.parquet", "verdicts.parquet"]
    again = audition.import_parquet(files[1], "demo/suite.yaml", db=str(tmp_path / "b.db"))
    columns = ["model", "item", "repeat", "answer"]
    pandas.testing.assert_frame_equal(again.samples()[columns].sort_values(columns, ignore_index=True),
                                      done.samples()[columns].sort_values(columns, ignore_index=True))


def test_one_line_in_a_test(tmp_path):
    options = {"db": str(tmp_path / "c.db"), "judges": ["examiner"], **OPTIONS}
    assert audition.check("demo/suite.yaml", "steady", at_least=8, **options).name
    with pytest.raises(AssertionError, match=r"steady: 8\.54 \(\d\.\d\d to \d\.\d\d\), expected at least 9"):
        audition.check("demo/suite.yaml", "steady", at_least=9, **options)


def test_mlflow_and_wandb_files(done, tmp_path):
    for folder in done.to_mlflow(tmp_path / "mlruns"):
        when, value, step = (folder / "metrics" / "score.value").read_text().split()
        assert int(when) > 0 and float(value) > 5 and step == "0"
        assert (folder / "meta.yaml").exists() and (folder.parent / "meta.yaml").exists()
    summaries = [json.loads((folder / "wandb-summary.json").read_text()) for folder in done.to_wandb(tmp_path / "wandb")]
    assert sorted(round(summary["score.value"], 2) for summary in summaries) == [5.10, 8.54]


def test_faults_are_said(tmp_path):
    with pytest.raises(audition.Fault) as fault:
        audition.run("nowhere.yaml", ["steady"], db=str(tmp_path / "d.db"), **OPTIONS)
    assert fault.value.code == 1 and "nowhere.yaml" in str(fault.value)


def test_sensitive_answers_stay(done, tmp_path):
    text = open("demo/suite.yaml").read()
    with open("demo/sensitive.yaml", "w") as out:
        out.write(text + "\nsensitive: yes\n")
    run = audition.run("demo/sensitive.yaml", ["steady"], db=str(tmp_path / "e.db"), **OPTIONS)
    with pytest.raises(audition.Fault, match="sensitive=True"):
        run.samples()
    assert len(run.samples(sensitive=True)) == 24
