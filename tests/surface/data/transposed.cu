// A tile of A is stored to shared memory transposed: a warp writes a column, which PITCH floats a row spread over the banks
// or do not.
template <int PITCH>
__global__ void transposed(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int T = 32;
  __shared__ float a[T][PITCH];  // (k, row)
  __shared__ float b[T][T];      // (k, column)
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    a[tx][ty] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    b[ty][tx] = k0 + ty < K && column < N ? B[(k0 + ty) * N + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k) sum = fmaf(a[k][ty], b[k][tx], sum);
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}
