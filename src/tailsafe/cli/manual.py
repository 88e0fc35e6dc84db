"""What --help says besides the options: purpose, examples, exit codes."""

ABOUT = """\
Choose, from a fixed log, the policy whose bad tail is best, and say how sure that is.

  tailsafe demo                                a complete run on a log that ships
  tailsafe data log.csv                        what the log shows, and what it does not
  tailsafe select log.csv --discount 0.95      the choice, its certificate and a report
  tailsafe COMMAND --help                      options and examples of a command
"""
CODES = """\
exit codes:
  0    done; for select: a policy is proved best, or within eps of the best
  2    bad input; one line on standard error says what, where and how much
  3    the budget was spent, or Ctrl-C ended the race: ties remain, and are written
  130  Ctrl-C before the race had begun; nothing is written
"""
LOG = """\
the log:
  A table (csv, tsv, parquet; .gz; "-" is standard input) with one transition a row. Columns are
  recognised by their usual names: episode, time, state, action, reward, next_state, terminated,
  truncated, propensity. States and actions may be words; every output uses them.
"""
SELECT = f"""\
examples:
  tailsafe select log.csv --discount 0.95
  tailsafe select log.csv --risk var:0.1 --eps 0.5 --output result
  tailsafe select log.csv --column state=ward --column action=drug --support seen
  tailsafe select log.csv --policies ours.csv --portfolio full --json > selection.json

{LOG}
outputs, in the folder --output (by default tailsafe-NAME beside you, NAME being the log's):
  report.html      what to read; selection.json   the same for programs; policy.csv   the policy
  Files of an earlier run are replaced; files of anybody else are not: choose another folder.

{CODES}"""
EVALUATE = f"""\
examples:
  tailsafe evaluate log.csv --policies ours.csv
  tailsafe evaluate log.csv --policies ours.csv --risk var:0.1 --discount 0.95

The file of policies has the columns state, action, optionally probability, and optionally policy
(a name, if there are several). policy.csv of an earlier selection is such a file.

{CODES}"""
DATA = f"""\
examples:
  tailsafe data log.csv
  tailsafe data log.csv --policies ours.csv
  tailsafe data log.csv --json

{LOG}"""
REPORT = """\
examples:
  tailsafe report tailsafe-log/selection.json
  tailsafe report selection.json --output elsewhere.html
"""
STUDY = """\
examples:
  tailsafe study paper --quick                          see in a few minutes what comes out
  tailsafe study paper --profile published --domain ring,chain
  tailsafe study paper --trials 200                     more logs; none is done twice
  tailsafe study mine.toml --jobs 8 --export rows.csv
  tailsafe study mine.toml --scheduler tcp://head:8786
  tailsafe study mine.toml --part 3/10 --output part-3  one of ten jobs of an array, and then:
  tailsafe study mine.toml --gather part-1 --gather part-2 ...

the study:
  "paper" is that of Exploitation vs Caution: Ring, Chain and Random Frozen Lake, with three
  profiles: "published" is the program behind the printed tables, "paper" the text, "tailsafe" what
  this package does by default. Your own is a TOML file: docs/how-to/run-a-study.md describes it.

outputs, in the folder --output:
  study.db      all rows and, beside it, all policies; the same command goes on where it ended
  report.html   tables and figures, beside the numbers of the paper

exit codes:
  0    every unit is there
  2    bad input, or the store could not be written; what it holds is intact
  3    Ctrl-C, or some units failed; the same command does what is missing
"""
DEMO = f"""\
The log is of machines that wear out and are repaired: 10 conditions, 2 actions, 2,000 weeks.
It is simulated; benchmarks/machine_log.py made it.

{CODES}"""
