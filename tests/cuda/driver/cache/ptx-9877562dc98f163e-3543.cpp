#include "cuda_cpu.h"

static void k_function_hessian_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd15, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_p1, (bool)((uint32_t)rd<uint32_t>(_r1) > (uint32_t)(uint32_t)0x1ull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_6; }
  { wr(_rd22, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd16, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd2, (int64_t)(add_<int64_t>(rd<int64_t>(_rd16), (int64_t)0x1ull))); }
  { wr(_r3, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_r4, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd4, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd17, (uint64_t)(rd<uint64_t>(_rd15))); }
  { wr(_rd18, (uint64_t)((uint64_t)rd<uint32_t>(_r2) * (uint64_t)(uint32_t)0x8ull)); }
  { wr(_rd19, (int64_t)(add_<int64_t>(rd<int64_t>(_rd17), rd<int64_t>(_rd18)))); }
  { wr(_rd5, (int64_t)(add_<int64_t>(rd<int64_t>(_rd19), (int64_t)0x8ull))); }
  { wr(_rd6, (uint64_t)((uint64_t)rd<uint32_t>(_r4) * (uint64_t)(uint32_t)0x8ull)); }
  _L__BB0_2:;
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd22)))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd24) > (int64_t)(int64_t)0x2ull)); }
  if (rd<bool>(_p2)) { goto _L__BB0_5; }
  { wr(_rd20, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd22), (uint32_t)0x5ull))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd5), rd<int64_t>(_rd20)))); }
  _L__BB0_4:;
  { wr(_rd21, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd23), 8, 1, 36)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd21)); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), rd<int64_t>(_rd6)))); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), rd<int64_t>(_rd4)))); }
  { wr(_p3, (bool)((int64_t)rd<int64_t>(_rd24) < (int64_t)(int64_t)0x3ull)); }
  if (rd<bool>(_p3)) { goto _L__BB0_4; }
  _L__BB0_5:;
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd22), rd<int64_t>(_rd3)))); }
  { wr(_p4, (bool)((uint64_t)rd<uint64_t>(_rd22) < (uint64_t)(uint64_t)0x2ull)); }
  if (rd<bool>(_p4)) { goto _L__BB0_2; }
  _L__BB0_6:;
  { return; }
}

static void k_function_hessian_1(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd11, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_rd12, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_rd17, (int64_t)(add_<int64_t>(rd<int64_t>(_rd12), (int64_t)0x1ull))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd17) > (uint64_t)(uint64_t)0x2ull)); }
  if (rd<bool>(_p1)) { goto _L__BB1_6; }
  { wr(_r2, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd2, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_r3, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_r4, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd4, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd5, (uint64_t)(rd<uint64_t>(_rd11))); }
  _L__BB1_2:;
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd17) <= (uint64_t)rd<uint64_t>(_rd2))); }
  if (rd<bool>(_p2)) { goto _L__BB1_5; }
  { wr(_rd7, (int64_t)((uint64_t)rd<int64_t>(_rd17) * (uint64_t)(int64_t)0x3ull)); }
  { wr(_rd18, (uint64_t)(rd<uint64_t>(_rd2))); }
  _L__BB1_4:;
  { wr(_rd13, (int64_t)(add_<int64_t>(rd<int64_t>(_rd18), rd<int64_t>(_rd7)))); }
  { wr(_rd14, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd13), (uint32_t)0x3ull))); }
  { wr(_rd15, (int64_t)(add_<int64_t>(rd<int64_t>(_rd5), rd<int64_t>(_rd14)))); }
  { wr(_rd16, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd15), 8, 1, 34)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd16)); }
  { wr(_rd18, (int64_t)(add_<int64_t>(rd<int64_t>(_rd18), rd<int64_t>(_rd4)))); }
  { wr(_p3, (bool)((uint64_t)rd<uint64_t>(_rd18) < (uint64_t)rd<uint64_t>(_rd17))); }
  if (rd<bool>(_p3)) { goto _L__BB1_4; }
  _L__BB1_5:;
  { wr(_rd17, (int64_t)(add_<int64_t>(rd<int64_t>(_rd17), rd<int64_t>(_rd3)))); }
  { wr(_p4, (bool)((uint64_t)rd<uint64_t>(_rd17) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p4)) { goto _L__BB1_2; }
  _L__BB1_6:;
  { return; }
}

static void k_function_hessian_2(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd14, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd15, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd16, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd17, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd16), rd<int64_t>(_rd17)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd25) > (uint64_t)(uint64_t)0x2ull)); }
  if (rd<bool>(_p1)) { goto _L__BB2_3; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd18, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd18) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd19, (uint64_t)(rd<uint64_t>(_rd15))); }
  { wr(_rd20, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd25), (uint32_t)0x5ull))); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd19), rd<int64_t>(_rd20)))); }
  { wr(_rd5, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd3), (uint32_t)0x5ull))); }
  { wr(_rd21, (uint64_t)(rd<uint64_t>(_rd14))); }
  { wr(_rd22, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd25), (uint32_t)0x3ull))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd21), rd<int64_t>(_rd22)))); }
  { wr(_rd7, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd3), (uint32_t)0x3ull))); }
  _L__BB2_2:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23), 8, 0, 33)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_fd2, (double)(mul_<double, 0>(rd<double>(_fd1), rd<double>(_fd1)))); }
  { wr(_fd3, (double)(mul_<double, 0>(rd<double>(_fd2), bits<double>(0x4008000000000000ull)))); }
  { wr(_fd4, (double)(mul_<double, 0>(rd<double>(_fd3), bits<double>(0x4010000000000000ull)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24), 8, 1, 37)); put<double>(p_ + 0, rd<double>(_fd4)); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), rd<int64_t>(_rd5)))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), rd<int64_t>(_rd7)))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd25), rd<int64_t>(_rd3)))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd25) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p2)) { goto _L__BB2_2; }
  _L__BB2_3:;
  { return; }
}

static const unsigned o_function_hessian_0[] = {0, 0}, s_function_hessian_0[] = {8, 0};
static const unsigned o_function_hessian_1[] = {0, 0}, s_function_hessian_1[] = {8, 0};
static const unsigned o_function_hessian_2[] = {0, 8, 0}, s_function_hessian_2[] = {8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"function_hessian_0", k_function_hessian_0, 1, o_function_hessian_0, s_function_hessian_0, 8, 0, 1024},
  {"function_hessian_1", k_function_hessian_1, 1, o_function_hessian_1, s_function_hessian_1, 8, 0, 1024},
  {"function_hessian_2", k_function_hessian_2, 2, o_function_hessian_2, s_function_hessian_2, 16, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
