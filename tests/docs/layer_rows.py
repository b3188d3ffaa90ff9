"""The lines of `polyad.nn` in the table of operators; `operator_rows.py` says how they are read."""

__all__ = ["NN"]

NN = """
adaptive_avg_pool1d | yes | | PyTorch | - | =
adaptive_avg_pool2d | yes | | PyTorch | - | =
adaptive_avg_pool3d | yes | | PyTorch | - | =
adaptive_max_pool1d | yes | 1 by the first | PyTorch | - | =
adaptive_max_pool2d | yes | 1 by the first, row by row | PyTorch | - | =
adaptive_max_pool3d | yes | 1 by the first, row by row | PyTorch | - | =
avg_pool1d | yes | | PyTorch | lax.reduce_window | =
avg_pool2d | yes | | PyTorch | lax.reduce_window | =
avg_pool3d | yes | | PyTorch | lax.reduce_window | =
batch_norm | yes | also by given statistics | PyTorch | jax.nn.standardize | =
bias_add | yes | | PyTorch | x + b[:, None] | x + b[:, None]
bidirectional | yes | | PyTorch | - | nn.LSTM(bidirectional=True)
binary_cross_entropy | yes | by both | PyTorch | - | F.binary_cross_entropy_with_logits
broadcast_to_like | yes | | PyTorch | jnp.broadcast_to(x, y.shape) | x.expand(y.shape)
celu | yes | 1 at 0 | PyTorch | = | =
collapse_sum_like | yes | | PyTorch | - | x.sum_to_size(y.shape)
conv1d | yes | | PyTorch | lax.conv_general_dilated | =
conv1d_transpose | yes | | PyTorch | lax.conv_transpose | F.conv_transpose1d
conv2d | yes | | PyTorch | lax.conv_general_dilated | =
conv2d_transpose | yes | | PyTorch | lax.conv_transpose | F.conv_transpose2d
conv3d | yes | | PyTorch | lax.conv_general_dilated | =
conv3d_transpose | yes | | PyTorch | lax.conv_transpose | F.conv_transpose3d
cosine_similarity | yes | 0 by the length where that is below eps | PyTorch | - | =
cross_entropy | yes | by labels that are probabilities, too | PyTorch | - | =
ctc_loss | yes | 0 where zero_infinity made it 0 | PyTorch | - | =
dense | yes | | NumPy | x @ w.T + b | F.linear
dropout | yes | none by the mask | NumPy | - | =
elu | yes | alpha at 0 | PyTorch | = | =
embedding | yes | by the table | NumPy | table[ids] | =
embedding_bag | yes | maxima: 1 by the first | PyTorch | - | =
flatten | yes | | PyTorch | - | torch.flatten
fold | yes | | PyTorch | - | =
gather_nd | yes | by x; none by the indices | PyTorch | x[tuple(indices)] | x[tuple(indices)]
gelu | yes | | PyTorch | = | =
global_avg_pool2d | yes | | PyTorch | x.mean((2, 3)) | F.adaptive_avg_pool2d
global_max_pool2d | yes | 1 by the first, row by row | PyTorch | x.max((2, 3)) | F.adaptive_max_pool2d
glorot_normal | none | | moments | jax.nn.initializers.glorot_normal | nn.init.xavier_normal_
glorot_uniform | none | | moments | jax.nn.initializers.glorot_uniform | nn.init.xavier_uniform_
glu | yes | | PyTorch | = | =
grid_sample | yes | half at a border that is kept to | PyTorch | jax.scipy.ndimage.map_coordinates | =
group_norm | yes | | PyTorch | - | =
gru | yes | | PyTorch | - | nn.GRU
gru_cell | yes | | PyTorch | - | nn.GRUCell
hard_sigmoid | yes | half at -3 and 3 | NumPy | = | F.hardsigmoid
hard_swish | yes | 0 at -3, 1 at 3 | PyTorch | = | F.hardswish
hard_tanh | yes | 0 at the bounds | PyTorch | = | F.hardtanh
he_normal | none | | moments | jax.nn.initializers.he_normal | nn.init.kaiming_normal_
he_uniform | none | | moments | jax.nn.initializers.he_uniform | nn.init.kaiming_uniform_
huber_loss | yes | smooth | PyTorch | - | =
instance_norm | yes | | PyTorch | - | =
kl_div | yes | by the target: none of its logarithm at 0 | PyTorch | - | =
l2_normalize | yes | 0 by the length where that is below eps | PyTorch | - | F.normalize
layer_norm | yes | | PyTorch | jax.nn.standardize | =
layout_transform | yes | | PyTorch | - | -
leaky_relu | yes | the slope at 0 | PyTorch | = | =
lecun_normal | none | | moments | jax.nn.initializers.lecun_normal | -
lecun_uniform | none | | moments | jax.nn.initializers.lecun_uniform | -
log_sigmoid | yes | | NumPy | = | F.logsigmoid
log_softmax | yes | | PyTorch | = | =
logsumexp | yes | 0 where the value is infinite | NumPy | = | torch.logsumexp
lrn | yes | | PyTorch | - | F.local_response_norm
lstm | yes | | PyTorch | - | nn.LSTM
lstm_cell | yes | | PyTorch | - | nn.LSTMCell
mae_loss | yes | 0 where both agree | PyTorch | - | F.l1_loss
max_pool1d | yes | 1 by the first | PyTorch | lax.reduce_window | =
max_pool2d | yes | 1 by the first, row by row | PyTorch | lax.reduce_window | =
max_pool3d | yes | 1 by the first, row by row | PyTorch | lax.reduce_window | =
mish | yes | | PyTorch | = | =
mse_loss | yes | | PyTorch | - | =
multibox_prior | none | | loops in NumPy | - | -
multibox_transform_loc | yes | half where boxes are cut | loops in NumPy | - | -
nll_loss | yes | | PyTorch | - | =
nms | none | | loops in NumPy | - | -
one_hot | none | | NumPy | = | =
orthogonal | none | | NumPy | jax.nn.initializers.orthogonal | nn.init.orthogonal_
pixel_shuffle | yes | | PyTorch | - | =
pixel_unshuffle | yes | | PyTorch | - | =
prelu | yes | the slope at 0 | NumPy | - | =
relu | yes | 0 at 0 | NumPy | = | =
relu6 | yes | 0 at 0 and 6 | PyTorch | = | =
reshape_like | yes | | PyTorch | jnp.reshape(x, y.shape) | x.reshape(y.shape)
resize | yes | none by the size | PyTorch | jax.image.resize | F.interpolate
resize2d | yes | none by the size | PyTorch | jax.image.resize | F.interpolate
rms_norm | yes | | NumPy | - | =
rnn | yes | | PyTorch | - | nn.RNN
rnn_cell | yes | | PyTorch | - | nn.RNNCell
scaled_dot_product_attention | yes | by added masks, too | PyTorch | jax.nn.dot_product_attention | =
scatter_add | yes | by both; none by the indices | PyTorch | x.at[ids].add(updates) | torch.scatter_add
scatter_nd | yes | by both; none by the indices | PyTorch | x.at[tuple(indices)].add(updates) | torch.index_put
segment_sum | yes | none by the ids | PyTorch | jax.ops.segment_sum | torch.index_add
selu | yes | scale * alpha at 0 | PyTorch | = | =
sigmoid | yes | | NumPy | = | torch.sigmoid
silu | yes | | NumPy | = | =
slice_like | yes | | PyTorch | - | -
smooth_l1_loss | yes | smooth; 0 where both agree for beta = 0 | PyTorch | - | =
softmax | yes | | NumPy | = | =
softplus | yes | | NumPy | = | =
softsign | yes | | NumPy | jax.nn.soft_sign | =
stacked | yes | | PyTorch | - | nn.LSTM(num_layers=2)
tanh | yes | | NumPy | jnp.tanh | torch.tanh
tanhshrink | yes | | PyTorch | - | =
unfold | yes | | PyTorch | lax.conv_general_dilated_patches | =
upsample | yes | | PyTorch | jax.image.resize | F.interpolate
winograd_conv2d | yes | | PyTorch | - | F.conv2d
"""
