#include "cuda_cpu.h"

static void k_function_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6, _p7, _p8, _p9, _p10, _p11, _p12, _p13, _p14;
  uint32_t _r0, _r1, _r2;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd8, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd7, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd8))); }
  { wr(_r1, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_p1, (bool)((uint32_t)rd<uint32_t>(_r1) > (uint32_t)(uint32_t)0x2ull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_3; }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd1), 8, 0, 15)); wr(_fd2, (double)(get<double>(p_ + 0))); }
  { wr(_p2, (bool)(isnan_(rd<double>(_fd2)) | isnan_(rd<double>(_fd2)))); }
  { wr(_p3, (bool)((double)rd<double>(_fd2) > (double)bits<double>(0xFFF0000000000000ull))); }
  { wr(_p4, (bool)(rd<bool>(_p3) | rd<bool>(_p2))); }
  { wr(_fd3, (double)(rd<bool>(_p4) ? rd<double>(_fd2) : bits<double>(0xFFF0000000000000ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd1) + (8), 8, 0, 20)); wr(_fd4, (double)(get<double>(p_ + 0))); }
  { wr(_p5, (bool)(isnan_(rd<double>(_fd4)) | isnan_(rd<double>(_fd4)))); }
  { wr(_p6, (bool)((double)rd<double>(_fd4) > (double)rd<double>(_fd3))); }
  { wr(_p7, (bool)(rd<bool>(_p6) | rd<bool>(_p5))); }
  { wr(_fd5, (double)(rd<bool>(_p7) ? rd<double>(_fd4) : rd<double>(_fd3))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd1) + (16), 8, 0, 25)); wr(_fd6, (double)(get<double>(p_ + 0))); }
  { wr(_rd13, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd4, (uint64_t)(rd<uint64_t>(_rd7))); }
  { wr(_p8, (bool)(isnan_(rd<double>(_fd6)) | isnan_(rd<double>(_fd6)))); }
  { wr(_p9, (bool)((double)rd<double>(_fd6) > (double)rd<double>(_fd5))); }
  { wr(_p10, (bool)(rd<bool>(_p9) | rd<bool>(_p8))); }
  { wr(_fd1, (double)(rd<bool>(_p10) ? rd<double>(_fd6) : rd<double>(_fd5))); }
  _L__BB0_2:;
  { wr(_rd9, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd13), (uint32_t)0x3ull))); }
  { wr(_rd10, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd9)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd10), 8, 0, 38)); wr(_fd7, (double)(get<double>(p_ + 0))); }
  { wr(_p11, (bool)((double)rd<double>(_fd7) >= (double)rd<double>(_fd1))); }
  { wr(_p12, (bool)(isnan_(rd<double>(_fd7)) | isnan_(rd<double>(_fd7)))); }
  { wr(_p13, (bool)(rd<bool>(_p11) | rd<bool>(_p12))); }
  { wr(_rd11, (uint64_t)(rd<bool>(_p13) ? rd<uint64_t>(_rd13) : (uint64_t)0x7fffffffffffffffull)); }
  { wr(_rd12, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd9)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd12), 8, 1, 44)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd11)); }
  { wr(_rd13, (int64_t)(add_<int64_t>(rd<int64_t>(_rd13), rd<int64_t>(_rd3)))); }
  { wr(_p14, (bool)((uint64_t)rd<uint64_t>(_rd13) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p14)) { goto _L__BB0_2; }
  _L__BB0_3:;
  { return; }
}

static void k_function_1(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd1, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd2, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd3, (uint64_t)(rd<uint64_t>(_rd2))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3), 8, 0, 8)); wr(_rd4, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (8), 8, 0, 9)); wr(_rd5, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd6, (int64_t)(min_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd5)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (16), 8, 0, 11)); wr(_rd7, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd8, (int64_t)(min_<int64_t>(rd<int64_t>(_rd6), rd<int64_t>(_rd7)))); }
  { wr(_rd9, (uint64_t)(rd<uint64_t>(_rd1))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9), 8, 1, 14)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd8)); }
  { return; }
}

static const unsigned o_function_0[] = {0, 8, 0}, s_function_0[] = {8, 8, 0};
static const unsigned o_function_1[] = {0, 8, 0}, s_function_1[] = {8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"function_0", k_function_0, 2, o_function_0, s_function_0, 16, 0, 1024},
  {"function_1", k_function_1, 2, o_function_1, s_function_1, 16, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
