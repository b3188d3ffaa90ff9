#include "cuda_cpu.h"

static void k_kernel_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd13, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd14, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd15, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd14), rd<int64_t>(_rd15)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd22) > (uint64_t)(uint64_t)0x13ull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_6; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd16, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd16) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd17, (uint64_t)(rd<uint64_t>(_rd13))); }
  { wr(_rd4, (int64_t)(add_<int64_t>(rd<int64_t>(_rd17), (int64_t)0x40ull))); }
  _L__BB0_2:;
  { wr(_rd19, (int64_t)((uint64_t)rd<int64_t>(_rd22) * (uint64_t)(int64_t)0x140ull)); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd19)))); }
  { wr(_rd23, (uint64_t)((uint64_t)0x30ull)); }
  { goto _L__BB0_3; }
  _L__BB0_4:;
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (64), 8, 1, 31)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (72), 8, 1, 32)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (80), 8, 1, 33)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (88), 8, 1, 34)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (96), 8, 1, 35)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (104), 8, 1, 36)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (112), 8, 1, 37)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (120), 8, 1, 38)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), (int64_t)0x80ull))); }
  _L__BB0_3:;
  
  { wr(_rd9, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), (int64_t)0xffffffffffffffc0ull))); }
  { wr(_rd20, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-64), 8, 1, 45)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-56), 8, 1, 46)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-48), 8, 1, 47)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-40), 8, 1, 48)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-32), 8, 1, 49)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-24), 8, 1, 50)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-16), 8, 1, 51)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-8), 8, 1, 52)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd20)); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), (int64_t)0xfffffffffffffff0ull))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd23) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p2)) { goto _L__BB0_5; }
  { goto _L__BB0_4; }
  _L__BB0_5:;
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd22), rd<int64_t>(_rd3)))); }
  { wr(_p3, (bool)((uint64_t)rd<uint64_t>(_rd22) < (uint64_t)(uint64_t)0x14ull)); }
  if (rd<bool>(_p3)) { goto _L__BB0_2; }
  _L__BB0_6:;
  { return; }
}

static void k_kernel_1(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48, _fd49, _fd50, _fd51;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd16, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd17, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 16)); wr(_rd18, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd19, (uint64_t)((uint64_t)0x0ull)); }
  { wr(_r4, (uint32_t)((uint32_t)0x0ull)); }
  { wr(_rd21, (uint64_t)(rd<uint64_t>(_rd16))); }
  { wr(_rd27, (uint64_t)(rd<uint64_t>(_rd18))); }
  { wr(_rd29, (uint64_t)(rd<uint64_t>(_rd17))); }
  { wr(_rd32, (uint64_t)(rd<uint64_t>(_rd19))); }
  _L__BB1_1:;
  { wr(_rd22, (int64_t)((uint64_t)rd<int64_t>(_rd32) * (uint64_t)(int64_t)0xf0ull)); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd21), rd<int64_t>(_rd22)))); }
  { wr(_rd2, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), (int64_t)0x40ull))); }
  { wr(_rd33, (uint64_t)(rd<uint64_t>(_rd19))); }
  _L__BB1_2:;
  { wr(_rd25, (int64_t)((uint64_t)rd<int64_t>(_rd32) * (uint64_t)(int64_t)0x28ull)); }
  { wr(_rd26, (int64_t)(add_<int64_t>(rd<int64_t>(_rd33), rd<int64_t>(_rd25)))); }
  { wr(_rd28, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd26), (uint32_t)0x3ull))); }
  { wr(_rd4, (int64_t)(add_<int64_t>(rd<int64_t>(_rd27), rd<int64_t>(_rd28)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd4), 8, 0, 29)); wr(_fd51, (double)(get<double>(p_ + 0))); }
  { wr(_rd30, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd33), (uint32_t)0x3ull))); }
  { wr(_rd31, (int64_t)(add_<int64_t>(rd<int64_t>(_rd29), rd<int64_t>(_rd30)))); }
  { wr(_rd34, (int64_t)(add_<int64_t>(rd<int64_t>(_rd31), (int64_t)0xa00ull))); }
  { wr(_rd35, (uint64_t)((uint64_t)0x20ull)); }
  { wr(_rd36, (uint64_t)(rd<uint64_t>(_rd2))); }
  { goto _L__BB1_3; }
  _L__BB1_4:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (4480), 8, 0, 38)); wr(_fd46, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (112), 8, 0, 39)); wr(_fd47, (double)(get<double>(p_ + 0))); }
  { wr(_fd48, (double)(fma_<double, 0>(rd<double>(_fd47), rd<double>(_fd46), rd<double>(_fd3)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (4800), 8, 0, 41)); wr(_fd49, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (120), 8, 0, 42)); wr(_fd50, (double)(get<double>(p_ + 0))); }
  { wr(_fd51, (double)(fma_<double, 0>(rd<double>(_fd50), rd<double>(_fd49), rd<double>(_fd48)))); }
  { wr(_rd36, (int64_t)(add_<int64_t>(rd<int64_t>(_rd36), (int64_t)0x80ull))); }
  { wr(_rd34, (int64_t)(add_<int64_t>(rd<int64_t>(_rd34), (int64_t)0x1400ull))); }
  _L__BB1_3:;
  
  { wr(_rd9, (int64_t)(add_<int64_t>(rd<int64_t>(_rd34), (int64_t)0xfffffffffffff600ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-2560), 8, 0, 50)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_rd10, (int64_t)(add_<int64_t>(rd<int64_t>(_rd36), (int64_t)0xffffffffffffffc0ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-64), 8, 0, 52)); wr(_fd6, (double)(get<double>(p_ + 0))); }
  { wr(_fd7, (double)(fma_<double, 0>(rd<double>(_fd6), rd<double>(_fd5), rd<double>(_fd51)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-2240), 8, 0, 54)); wr(_fd8, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-56), 8, 0, 55)); wr(_fd9, (double)(get<double>(p_ + 0))); }
  { wr(_fd10, (double)(fma_<double, 0>(rd<double>(_fd9), rd<double>(_fd8), rd<double>(_fd7)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-1920), 8, 0, 57)); wr(_fd11, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-48), 8, 0, 58)); wr(_fd12, (double)(get<double>(p_ + 0))); }
  { wr(_fd13, (double)(fma_<double, 0>(rd<double>(_fd12), rd<double>(_fd11), rd<double>(_fd10)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-1600), 8, 0, 60)); wr(_fd14, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-40), 8, 0, 61)); wr(_fd15, (double)(get<double>(p_ + 0))); }
  { wr(_fd16, (double)(fma_<double, 0>(rd<double>(_fd15), rd<double>(_fd14), rd<double>(_fd13)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-1280), 8, 0, 63)); wr(_fd17, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-32), 8, 0, 64)); wr(_fd18, (double)(get<double>(p_ + 0))); }
  { wr(_fd19, (double)(fma_<double, 0>(rd<double>(_fd18), rd<double>(_fd17), rd<double>(_fd16)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-960), 8, 0, 66)); wr(_fd20, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-24), 8, 0, 67)); wr(_fd21, (double)(get<double>(p_ + 0))); }
  { wr(_fd22, (double)(fma_<double, 0>(rd<double>(_fd21), rd<double>(_fd20), rd<double>(_fd19)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-640), 8, 0, 69)); wr(_fd23, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-16), 8, 0, 70)); wr(_fd24, (double)(get<double>(p_ + 0))); }
  { wr(_fd25, (double)(fma_<double, 0>(rd<double>(_fd24), rd<double>(_fd23), rd<double>(_fd22)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (-320), 8, 0, 72)); wr(_fd26, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (-8), 8, 0, 73)); wr(_fd27, (double)(get<double>(p_ + 0))); }
  { wr(_fd28, (double)(fma_<double, 0>(rd<double>(_fd27), rd<double>(_fd26), rd<double>(_fd25)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34), 8, 0, 75)); wr(_fd29, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36), 8, 0, 76)); wr(_fd30, (double)(get<double>(p_ + 0))); }
  { wr(_fd31, (double)(fma_<double, 0>(rd<double>(_fd30), rd<double>(_fd29), rd<double>(_fd28)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (320), 8, 0, 78)); wr(_fd32, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (8), 8, 0, 79)); wr(_fd33, (double)(get<double>(p_ + 0))); }
  { wr(_fd34, (double)(fma_<double, 0>(rd<double>(_fd33), rd<double>(_fd32), rd<double>(_fd31)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (640), 8, 0, 81)); wr(_fd35, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (16), 8, 0, 82)); wr(_fd36, (double)(get<double>(p_ + 0))); }
  { wr(_fd37, (double)(fma_<double, 0>(rd<double>(_fd36), rd<double>(_fd35), rd<double>(_fd34)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (960), 8, 0, 84)); wr(_fd38, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (24), 8, 0, 85)); wr(_fd39, (double)(get<double>(p_ + 0))); }
  { wr(_fd40, (double)(fma_<double, 0>(rd<double>(_fd39), rd<double>(_fd38), rd<double>(_fd37)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1280), 8, 0, 87)); wr(_fd41, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (32), 8, 0, 88)); wr(_fd42, (double)(get<double>(p_ + 0))); }
  { wr(_fd43, (double)(fma_<double, 0>(rd<double>(_fd42), rd<double>(_fd41), rd<double>(_fd40)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1600), 8, 0, 90)); wr(_fd44, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36) + (40), 8, 0, 91)); wr(_fd45, (double)(get<double>(p_ + 0))); }
  { wr(_fd3, (double)(fma_<double, 0>(rd<double>(_fd45), rd<double>(_fd44), rd<double>(_fd43)))); }
  { wr(_rd35, (int64_t)(add_<int64_t>(rd<int64_t>(_rd35), (int64_t)0xfffffffffffffff0ull))); }
  { wr(_p1, (bool)((int64_t)rd<int64_t>(_rd35) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p1)) { goto _L__BB1_5; }
  { goto _L__BB1_4; }
  _L__BB1_5:;
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd4), 8, 1, 99)); put<double>(p_ + 0, rd<double>(_fd3)); }
  { wr(_rd33, (int64_t)(add_<int64_t>(rd<int64_t>(_rd33), (int64_t)0x1ull))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd33) < (uint64_t)(uint64_t)0x28ull)); }
  if (rd<bool>(_p2)) { goto _L__BB1_2; }
  { wr(_r4, (int32_t)(add_<int32_t>(rd<int32_t>(_r4), (int32_t)0x1ull))); }
  { wr(_rd32, (int64_t)(add_<int64_t>(rd<int64_t>(_rd32), (int64_t)0x1ull))); }
  { wr(_p3, (bool)((uint32_t)rd<uint32_t>(_r4) < (uint32_t)(uint32_t)0x14ull)); }
  if (rd<bool>(_p3)) { goto _L__BB1_1; }
  { return; }
}

static const unsigned o_kernel_0[] = {0, 0}, s_kernel_0[] = {8, 0};
static const unsigned o_kernel_1[] = {0, 8, 16, 0}, s_kernel_1[] = {8, 8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"kernel_0", k_kernel_0, 1, o_kernel_0, s_kernel_0, 8, 0, 1024},
  {"kernel_1", k_kernel_1, 3, o_kernel_1, s_kernel_1, 24, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
