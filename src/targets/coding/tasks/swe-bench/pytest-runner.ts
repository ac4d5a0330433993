/**
 * Runs the files of the wanted tests and reports those that did not pass, with the number that it got on standard input:
 * only a run that came to its end can. It stands apart from the repository, so a `pytest.py` in there is not taken for
 * pytest. A test passes as SWE-bench has it: also where it fails as expected; a name that was cut at a space stands for
 * all tests that begin so.
 */
export const PYTEST_RUNNER = `import json, os, sys

nonce = sys.stdin.readline().strip()
out = os.dup(1)
write, dumps = os.write, json.dumps
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "wanted.json")) as file:
    wanted = json.load(file)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
try:
    import pytest
except ImportError:
    print("No module named 'pytest'")
    sys.exit(1)
sys.path[0] = os.getcwd()

outcomes = {}


class Outcomes:
    def pytest_runtest_logreport(self, report):
        is_passed = report.outcome == "passed" or hasattr(report, "wasxfail")
        if report.when == "call" or not is_passed:
            before = outcomes.get(report.nodeid, True)
            outcomes[report.nodeid] = before and is_passed


files = sorted({name.split("::")[0] for name in wanted})
there = [file for file in files if os.path.exists(file)]
code = pytest.main(["-p", "no:cacheprovider", "-rA", *sys.argv[1:], *there], plugins=[Outcomes()]) if there else 1
by_start = {}
for name, is_passed in outcomes.items():
    start = name.split(" ")[0]
    by_start[start] = by_start.get(start, True) and is_passed
missing = [name for name in wanted if not outcomes.get(name, by_start.get(name, False))]
write(out, ("\\nASSAY " + nonce + " " + dumps(missing) + "\\n").encode())
sys.stdout.flush()
os._exit(0 if code in (0, 1) else int(code))
`;
