#include "cuda_cpu.h"

static void k_function_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd8, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd9, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd10, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd11, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd16, (int64_t)(add_<int64_t>(rd<int64_t>(_rd10), rd<int64_t>(_rd11)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd16) > (uint64_t)(uint64_t)0x2ull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_5; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd12, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd12) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd4, (uint64_t)(rd<uint64_t>(_rd8))); }
  { wr(_rd5, (uint64_t)(rd<uint64_t>(_rd9))); }
  _L__BB0_2:;
  { wr(_rd13, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd16), (uint32_t)0x3ull))); }
  { wr(_rd14, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd13)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd14), 8, 0, 28)); wr(_rd15, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd15) < (uint64_t)(uint64_t)0x5ull)); }
  if (rd<bool>(_p2)) { goto _L__BB0_4; }
  { wr(_r5, (uint32_t)(atomic<uint32_t>(T, atGLOBAL(T, rd<uint64_t>(_rd5), 4, 2, 32), "exch", (uint32_t)0xfffffffcull))); }
  _L__BB0_4:;
  { wr(_rd16, (int64_t)(add_<int64_t>(rd<int64_t>(_rd16), rd<int64_t>(_rd3)))); }
  { wr(_p3, (bool)((uint64_t)rd<uint64_t>(_rd16) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p3)) { goto _L__BB0_2; }
  _L__BB0_5:;
  { return; }
}

static void k_function_1(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5;
  uint64_t _fd0, _fd1;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd9, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd10, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 16)); wr(_rd11, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 24)); wr(_rd12, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd13, (uint64_t)(rd<uint64_t>(_rd12))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13), 4, 0, 13)); wr(_r1, (uint32_t)(get<uint32_t>(p_ + 0))); }
  { wr(_p1, (bool)((int32_t)rd<int32_t>(_r1) != (int32_t)(int32_t)0x0ull)); }
  if (rd<bool>(_p1)) { goto _L__BB1_4; }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r3, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd14, (uint64_t)((uint64_t)rd<uint32_t>(_r2) * (uint64_t)rd<uint32_t>(_r3))); }
  { wr(_r4, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd15, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd27, (int64_t)(add_<int64_t>(rd<int64_t>(_rd14), rd<int64_t>(_rd15)))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd27) > (uint64_t)(uint64_t)0x5ull)); }
  if (rd<bool>(_p2)) { goto _L__BB1_4; }
  { wr(_r5, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd16, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r5)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd16) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd4, (uint64_t)(rd<uint64_t>(_rd11))); }
  { wr(_rd5, (uint64_t)(rd<uint64_t>(_rd9))); }
  { wr(_rd6, (uint64_t)(rd<uint64_t>(_rd10))); }
  _L__BB1_3:;
  { wr(_rd17, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd27), (uint32_t)0x2ull))); }
  { wr(_rd18, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd17), (uint64_t)0xfffffffffffffff8ull))); }
  { wr(_rd19, (int64_t)(add_<int64_t>(rd<int64_t>(_rd6), rd<int64_t>(_rd18)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd19), 8, 0, 38)); wr(_rd20, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd21, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd27), (uint64_t)0x1ull))); }
  { wr(_rd22, (uint64_t)(bfi_<uint64_t>(rd<uint64_t>(_rd20), rd<uint64_t>(_rd21), (uint32_t)0x1ull, (uint32_t)0x3full))); }
  { wr(_rd23, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd22), (uint32_t)0x3ull))); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd5), rd<int64_t>(_rd23)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24), 8, 0, 43)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_rd25, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd27), (uint32_t)0x3ull))); }
  { wr(_rd26, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd25)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd26), 8, 1, 46)); put<double>(p_ + 0, rd<double>(_fd1)); }
  { wr(_rd27, (int64_t)(add_<int64_t>(rd<int64_t>(_rd27), rd<int64_t>(_rd3)))); }
  { wr(_p3, (bool)((uint64_t)rd<uint64_t>(_rd27) < (uint64_t)(uint64_t)0x6ull)); }
  if (rd<bool>(_p3)) { goto _L__BB1_3; }
  _L__BB1_4:;
  { return; }
}

static const unsigned o_function_0[] = {0, 8, 0}, s_function_0[] = {8, 8, 0};
static const unsigned o_function_1[] = {0, 8, 16, 24, 0}, s_function_1[] = {8, 8, 8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"function_0", k_function_0, 2, o_function_0, s_function_0, 16, 0, 1024},
  {"function_1", k_function_1, 4, o_function_1, s_function_1, 32, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
