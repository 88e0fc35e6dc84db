"""Tables in memory: any data frame that narwhals knows, mappings of arrays, parquet files."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tailsafe.data.sheet import (
    Column,
    Pick,
    Sheet,
    column_of_array,
    column_of_cells,
)
from tailsafe.errors import InvalidData, MissingDependency

ARRAYS = ("int", "uint", "float", "bool")


def read_parquet(path: Path | str, pick: Pick) -> Sheet:
    """Return the sheet of a parquet file; only the columns that are needed are read."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise MissingDependency(
            "reading parquet needs pyarrow: pip install 'tailsafe[parquet]'"
        ) from None
    name = Path(path).name
    try:
        titles = parquet.read_schema(path).names
        roles = pick(titles, name)
        frame = parquet.read_table(path, columns=list(roles.values()))
    except (ArrowException, OSError) as error:
        raise InvalidData(f"cannot read {path}: {error}") from None
    sheet = frame_sheet(frame, name, pick)
    unused = tuple(title for title in titles if title not in roles.values())
    return Sheet(name, sheet.place, sheet.columns, unused)


def frame_sheet(data: object, name: str, pick: Pick) -> Sheet:
    """Return the sheet of a data frame (pandas, polars, pyarrow, a duckdb relation, ...)."""
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(data)  # type: ignore[call-overload]
        titles = {str(title): title for title in frame.collect_schema().names()}
    except DuplicateError as error:
        raise InvalidData(
            f"{name} has several columns of one name: {' '.join(str(error).split())}"
        ) from None
    except TypeError:
        raise InvalidData(
            f"cannot read a log from {type(data).__name__}: give a path, a data frame, or a "
            "mapping of column names to arrays"
        ) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    roles = pick(list(titles), name)
    columns = {role: _column(title, frame[titles[title]]) for role, title in roles.items()}
    unused = tuple(title for title in titles if title not in roles.values())
    return Sheet(name, np.arange(len(frame)), columns, unused)


def _column(title: str, series: "nw.Series") -> Column:  # type: ignore[name-defined] # noqa: F821
    if str(series.dtype).lower().startswith(ARRAYS) and not series.is_null().any():
        return column_of_array(title, series.to_numpy())
    return column_of_cells(title, series.to_list())


def array_sheet(arrays: Mapping[str, npt.ArrayLike], name: str, pick: Pick) -> Sheet:
    """Return the sheet of arrays by name; those of shape (n, 1) count as columns too."""
    titles = [str(title) for title in arrays]
    roles = pick(titles, name)
    flat = {role: _flat(arrays[title], title, name) for role, title in roles.items()}
    sizes = {roles[role]: len(cells) for role, cells in flat.items()}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{title} {size}" for title, size in sizes.items())
        raise InvalidData(f"the columns of {name} have different lengths: {listed}")
    columns = {role: column_of_array(roles[role], cells) for role, cells in flat.items()}
    unused = tuple(title for title in titles if title not in roles.values())
    return Sheet(name, np.arange(max(sizes.values())), columns, unused)


def _flat(values: npt.ArrayLike, title: str, name: str) -> npt.NDArray[np.generic]:
    try:
        cells = np.asarray(values)
    except ValueError:
        raise InvalidData(f"{title} of {name} is ragged, not a column") from None
    if cells.ndim == 0 or cells.size != len(cells):
        raise InvalidData(
            f"{title} of {name} has shape {cells.shape}, expected one discrete value a row; give "
            "each combination of values a name or number of its own"
        )
    return cells.ravel()
