"""The workloads, one a file; `WORKLOADS` is the order of the table."""

WORKLOADS = (
    "lstm",
    "layer_norm_lstm",
    "gru_rnn",
    "adbench_lstm",
    "adbench_gmm",
    "prefix_scans",
    "linear_recurrence",
    "soft_dtw",
    "garch",
    "hmm_forward",
    "scalar_states",
    "triangular_matvec",
    "matmul",
    "attention",
    "heat",
    "wave",
    "conv2d",
    "call_overhead",
    "compile_time",
)
