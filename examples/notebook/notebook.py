# The code of a notebook, cell by cell: VS Code, Spyder and Jupytext open it as one, and Python runs it as it is.
# It needs pandas. Run `assay run study.yaml` first.

# %% A study by its name
import subprocess
import sys

found = subprocess.run(["assay", "python-path"], capture_output=True, text=True, check=True)
sys.path.insert(0, found.stdout.strip())
import assay

study = assay.load("notebook")
print(study)

# %% One row per run. Group by `arm`, what the report compares: `groupby("rate")` would mix the variants.
runs = study.runs[study.runs["status"] == "ok"]
by_arm = runs.groupby(["rate", "arm"])["loss"].agg(["mean", "std", "count"]).round(4)
print(by_arm)

# %% Runs of the same seed and rate are a pair: their differences tell more than two means.
paired = runs.pivot(index="pair", columns="arm", values="loss")
candidates = [arm for arm in study.design["arms"] if arm != study.design["baseline"]]
differences = paired[candidates].sub(paired[study.design["baseline"]], axis=0)
print(differences.describe().round(4))

# %% Learning curves: one row per step
steps = study.series.merge(runs[["run_id", "arm"]], on="run_id")
curves = steps.groupby(["step", "arm"])["loss"].mean().unstack()
print(curves.iloc[[0, 9, 19, 39]].round(4))

# %% A chart, where matplotlib is there
try:
    import matplotlib

    matplotlib.use("Agg")
    curves.plot(ylabel="loss", logy=True).figure.savefig("curves.png", dpi=150)
    print("curves.png")
except ImportError:
    print("no chart: pip install matplotlib")

# %% The verdict is Assay's: intervals that hold for several comparisons, and what is to be doubted
told = subprocess.run(["assay", "compare", "notebook"], capture_output=True, text=True, check=True)
print(told.stdout)
