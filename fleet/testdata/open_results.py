"""Opens a folder of results as people do, and says what is there as JSON:

    python3 open_results.py FOLDER SERIES

for python_test.go, which knows what should be there. It needs xarray, zarr
and pyarrow.
"""

import json
import sys

import numpy as np
import pyarrow.dataset
import xarray
import zarr

folder, series = sys.argv[1:]
ds = xarray.open_zarr(f"{folder}/{series}.zarr")
psd = ds["psd"].isel(channel=0)
there = np.flatnonzero(~np.isnan(psd.isel(frequency=5).values))
first = psd.isel(time=there[0])
group = zarr.open_group(f"{folder}/{series}.zarr", mode="r")
table = pyarrow.dataset.dataset(f"{folder}/parquet", partitioning="hive").to_table(filter=pyarrow.dataset.field("series") == series)
table = table.sort_by("time")
json.dump(
    {
        "dims": dict(ds.sizes),
        "units": ds["psd"].attrs["units"],
        "rows": len(there),
        "first": str(first.time.values.astype("datetime64[s]")),
        "psd": [float(v) for v in first.values],
        "frequency": float(ds.frequency.values[-1]),
        "same": bool(np.array_equal(np.asarray(group["psd"][int(there[0]), 0]), first.values)),
        "table_rows": table.num_rows,
        "table_first": str(table["time"][0].as_py().isoformat()),
        "table_psd": table["psd"][0].as_py(),
        "effort": table["effort"][1].as_py(),
    },
    sys.stdout,
)
