from dataclasses import dataclass
import islpy as isl
@dataclass(frozen=True)
class Schedule:
    tree: isl.Schedule
