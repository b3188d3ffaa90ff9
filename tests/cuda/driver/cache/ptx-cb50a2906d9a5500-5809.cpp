#include "cuda_cpu.h"

static void k_kernel_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5, _r6, _r7;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40, _rd41, _rd42, _rd43, _rd44, _rd45, _rd46, _rd47, _rd48, _rd49, _rd50, _rd51, _rd52, _rd53, _rd54, _rd55, _rd56, _rd57, _rd58, _rd59, _rd60, _rd61, _rd62, _rd63, _rd64, _rd65;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd35, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd36, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd36))); }
  { wr(_rd2, (uint64_t)(rd<uint64_t>(_rd35))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd4, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd37, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd5, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd62, (int64_t)(add_<int64_t>(rd<int64_t>(_rd37), rd<int64_t>(_rd5)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd62) > (uint64_t)(uint64_t)0x1dull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_10; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd7, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd8, (int64_t)((uint64_t)rd<int64_t>(_rd7) * (uint64_t)rd<int64_t>(_rd4))); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd8), (int64_t)0x1dull))); }
  { wr(_rd39, (int64_t)(add_<int64_t>(rd<int64_t>(_rd7), rd<int64_t>(_rd3)))); }
  { wr(_rd40, (int64_t)((uint64_t)rd<int64_t>(_rd39) * (uint64_t)rd<int64_t>(_rd4))); }
  { wr(_rd41, (int64_t)(add_<int64_t>(rd<int64_t>(_rd40), rd<int64_t>(_rd5)))); }
  { wr(_rd9, (int64_t)(sub_<int64_t>(rd<int64_t>(_rd38), rd<int64_t>(_rd41)))); }
  { wr(_rd42, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd9), rd<uint64_t>(_rd8)))); }
  { wr(_rd43, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd42), (uint64_t)0xffffffff00000000ull))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd43) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p2)) { goto _L__BB0_3; }
  { wr(_rd57, (uint64_t)(div_<uint64_t>(rd<uint64_t>(_rd9), rd<uint64_t>(_rd8)))); }
  { goto _L__BB0_4; }
  _L__BB0_3:;
  { wr(_r5, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd8)))); }
  { wr(_r6, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd9)))); }
  { wr(_r7, (uint32_t)(div_<uint32_t>(rd<uint32_t>(_r6), rd<uint32_t>(_r5)))); }
  { wr(_rd57, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r7)))); }
  _L__BB0_4:;
  { wr(_rd44, (int64_t)(add_<int64_t>(rd<int64_t>(_rd57), (int64_t)0x1ull))); }
  { wr(_rd61, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd44), (uint64_t)0x3ull))); }
  { wr(_p3, (bool)((int64_t)rd<int64_t>(_rd61) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p3)) { goto _L__BB0_7; }
  { wr(_rd45, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd62), (uint32_t)0x3ull))); }
  { wr(_rd59, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd45)))); }
  { wr(_rd15, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd8), (uint32_t)0x3ull))); }
  { wr(_rd58, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd45)))); }
  _L__BB0_6:;
  
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd58), 8, 0, 58)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd59), 8, 1, 59)); put<double>(p_ + 0, rd<double>(_fd1)); }
  { wr(_rd62, (int64_t)(add_<int64_t>(rd<int64_t>(_rd62), rd<int64_t>(_rd8)))); }
  { wr(_rd59, (int64_t)(add_<int64_t>(rd<int64_t>(_rd59), rd<int64_t>(_rd15)))); }
  { wr(_rd58, (int64_t)(add_<int64_t>(rd<int64_t>(_rd58), rd<int64_t>(_rd15)))); }
  { wr(_rd61, (int64_t)(add_<int64_t>(rd<int64_t>(_rd61), (int64_t)0xffffffffffffffffull))); }
  { wr(_p4, (bool)((int64_t)rd<int64_t>(_rd61) != (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p4)) { goto _L__BB0_6; }
  _L__BB0_7:;
  { wr(_p5, (bool)((uint64_t)rd<uint64_t>(_rd57) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p5)) { goto _L__BB0_10; }
  { wr(_rd46, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd62), (uint32_t)0x3ull))); }
  { wr(_rd64, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd46)))); }
  { wr(_rd27, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd8), (uint32_t)0x3ull))); }
  { wr(_rd65, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd46)))); }
  _L__BB0_9:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd64), 8, 0, 77)); wr(_fd2, (double)(get<double>(p_ + 0))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd65), 8, 1, 78)); put<double>(p_ + 0, rd<double>(_fd2)); }
  { wr(_rd48, (int64_t)(add_<int64_t>(rd<int64_t>(_rd64), rd<int64_t>(_rd27)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd48), 8, 0, 80)); wr(_fd3, (double)(get<double>(p_ + 0))); }
  { wr(_rd49, (int64_t)(add_<int64_t>(rd<int64_t>(_rd65), rd<int64_t>(_rd27)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd49), 8, 1, 82)); put<double>(p_ + 0, rd<double>(_fd3)); }
  { wr(_rd50, (int64_t)(add_<int64_t>(rd<int64_t>(_rd62), rd<int64_t>(_rd8)))); }
  { wr(_rd51, (int64_t)(add_<int64_t>(rd<int64_t>(_rd50), rd<int64_t>(_rd8)))); }
  { wr(_rd52, (int64_t)(add_<int64_t>(rd<int64_t>(_rd48), rd<int64_t>(_rd27)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd52), 8, 0, 86)); wr(_fd4, (double)(get<double>(p_ + 0))); }
  { wr(_rd53, (int64_t)(add_<int64_t>(rd<int64_t>(_rd49), rd<int64_t>(_rd27)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd53), 8, 1, 88)); put<double>(p_ + 0, rd<double>(_fd4)); }
  { wr(_rd54, (int64_t)(add_<int64_t>(rd<int64_t>(_rd51), rd<int64_t>(_rd8)))); }
  { wr(_rd55, (int64_t)(add_<int64_t>(rd<int64_t>(_rd52), rd<int64_t>(_rd27)))); }
  { wr(_rd64, (int64_t)(add_<int64_t>(rd<int64_t>(_rd55), rd<int64_t>(_rd27)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd55), 8, 0, 92)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_rd56, (int64_t)(add_<int64_t>(rd<int64_t>(_rd53), rd<int64_t>(_rd27)))); }
  { wr(_rd65, (int64_t)(add_<int64_t>(rd<int64_t>(_rd56), rd<int64_t>(_rd27)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd56), 8, 1, 95)); put<double>(p_ + 0, rd<double>(_fd5)); }
  { wr(_rd62, (int64_t)(add_<int64_t>(rd<int64_t>(_rd54), rd<int64_t>(_rd8)))); }
  { wr(_p6, (bool)((uint64_t)rd<uint64_t>(_rd62) < (uint64_t)(uint64_t)0x1eull)); }
  if (rd<bool>(_p6)) { goto _L__BB0_9; }
  _L__BB0_10:;
  { return; }
}

static void k_kernel_1(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd16, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd17, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd18, (uint64_t)(rd<uint64_t>(_rd16))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd17))); }
  { wr(_rd2, (int64_t)(add_<int64_t>(rd<int64_t>(_rd18), (int64_t)0x40ull))); }
  { wr(_rd21, (uint64_t)((uint64_t)0x1ull)); }
  _L__BB1_1:;
  { wr(_rd20, (int64_t)((uint64_t)rd<int64_t>(_rd21) * (uint64_t)(int64_t)0xf0ull)); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd20)))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd20)))); }
  { wr(_rd22, (uint64_t)((uint64_t)0x20ull)); }
  { goto _L__BB1_2; }
  _L__BB1_3:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (48), 8, 0, 22)); wr(_fd43, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (112), 8, 0, 23)); wr(_fd44, (double)(get<double>(p_ + 0))); }
  { wr(_fd45, (double)(add_<double, 0>(rd<double>(_fd44), rd<double>(_fd43)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (352), 8, 1, 25)); put<double>(p_ + 0, rd<double>(_fd45)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (120), 8, 0, 26)); wr(_fd46, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (56), 8, 0, 27)); wr(_fd47, (double)(get<double>(p_ + 0))); }
  { wr(_fd48, (double)(add_<double, 0>(rd<double>(_fd46), rd<double>(_fd47)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (360), 8, 1, 29)); put<double>(p_ + 0, rd<double>(_fd48)); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), (int64_t)0x80ull))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), (int64_t)0x80ull))); }
  _L__BB1_2:;
  
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-64), 8, 0, 35)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_rd10, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), (int64_t)0xffffffffffffff10ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-240), 8, 0, 37)); wr(_fd2, (double)(get<double>(p_ + 0))); }
  { wr(_fd3, (double)(add_<double, 0>(rd<double>(_fd2), rd<double>(_fd1)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24), 8, 1, 39)); put<double>(p_ + 0, rd<double>(_fd3)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-232), 8, 0, 40)); wr(_fd4, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-56), 8, 0, 41)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_fd6, (double)(add_<double, 0>(rd<double>(_fd4), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (8), 8, 1, 43)); put<double>(p_ + 0, rd<double>(_fd6)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-224), 8, 0, 44)); wr(_fd7, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-48), 8, 0, 45)); wr(_fd8, (double)(get<double>(p_ + 0))); }
  { wr(_fd9, (double)(add_<double, 0>(rd<double>(_fd7), rd<double>(_fd8)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (16), 8, 1, 47)); put<double>(p_ + 0, rd<double>(_fd9)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-216), 8, 0, 48)); wr(_fd10, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-40), 8, 0, 49)); wr(_fd11, (double)(get<double>(p_ + 0))); }
  { wr(_fd12, (double)(add_<double, 0>(rd<double>(_fd10), rd<double>(_fd11)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (24), 8, 1, 51)); put<double>(p_ + 0, rd<double>(_fd12)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-208), 8, 0, 52)); wr(_fd13, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-32), 8, 0, 53)); wr(_fd14, (double)(get<double>(p_ + 0))); }
  { wr(_fd15, (double)(add_<double, 0>(rd<double>(_fd13), rd<double>(_fd14)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (32), 8, 1, 55)); put<double>(p_ + 0, rd<double>(_fd15)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-200), 8, 0, 56)); wr(_fd16, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-24), 8, 0, 57)); wr(_fd17, (double)(get<double>(p_ + 0))); }
  { wr(_fd18, (double)(add_<double, 0>(rd<double>(_fd16), rd<double>(_fd17)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (40), 8, 1, 59)); put<double>(p_ + 0, rd<double>(_fd18)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-192), 8, 0, 60)); wr(_fd19, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-16), 8, 0, 61)); wr(_fd20, (double)(get<double>(p_ + 0))); }
  { wr(_fd21, (double)(add_<double, 0>(rd<double>(_fd19), rd<double>(_fd20)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (48), 8, 1, 63)); put<double>(p_ + 0, rd<double>(_fd21)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-184), 8, 0, 64)); wr(_fd22, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (-8), 8, 0, 65)); wr(_fd23, (double)(get<double>(p_ + 0))); }
  { wr(_fd24, (double)(add_<double, 0>(rd<double>(_fd22), rd<double>(_fd23)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (56), 8, 1, 67)); put<double>(p_ + 0, rd<double>(_fd24)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-176), 8, 0, 68)); wr(_fd25, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23), 8, 0, 69)); wr(_fd26, (double)(get<double>(p_ + 0))); }
  { wr(_fd27, (double)(add_<double, 0>(rd<double>(_fd25), rd<double>(_fd26)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (64), 8, 1, 71)); put<double>(p_ + 0, rd<double>(_fd27)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-168), 8, 0, 72)); wr(_fd28, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (8), 8, 0, 73)); wr(_fd29, (double)(get<double>(p_ + 0))); }
  { wr(_fd30, (double)(add_<double, 0>(rd<double>(_fd28), rd<double>(_fd29)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (72), 8, 1, 75)); put<double>(p_ + 0, rd<double>(_fd30)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-160), 8, 0, 76)); wr(_fd31, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (16), 8, 0, 77)); wr(_fd32, (double)(get<double>(p_ + 0))); }
  { wr(_fd33, (double)(add_<double, 0>(rd<double>(_fd31), rd<double>(_fd32)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (80), 8, 1, 79)); put<double>(p_ + 0, rd<double>(_fd33)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-152), 8, 0, 80)); wr(_fd34, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (24), 8, 0, 81)); wr(_fd35, (double)(get<double>(p_ + 0))); }
  { wr(_fd36, (double)(add_<double, 0>(rd<double>(_fd34), rd<double>(_fd35)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (88), 8, 1, 83)); put<double>(p_ + 0, rd<double>(_fd36)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-144), 8, 0, 84)); wr(_fd37, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (32), 8, 0, 85)); wr(_fd38, (double)(get<double>(p_ + 0))); }
  { wr(_fd39, (double)(add_<double, 0>(rd<double>(_fd37), rd<double>(_fd38)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (96), 8, 1, 87)); put<double>(p_ + 0, rd<double>(_fd39)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (-136), 8, 0, 88)); wr(_fd40, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (40), 8, 0, 89)); wr(_fd41, (double)(get<double>(p_ + 0))); }
  { wr(_fd42, (double)(add_<double, 0>(rd<double>(_fd40), rd<double>(_fd41)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24) + (104), 8, 1, 91)); put<double>(p_ + 0, rd<double>(_fd42)); }
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd22), (int64_t)0xfffffffffffffff0ull))); }
  { wr(_p1, (bool)((int64_t)rd<int64_t>(_rd22) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p1)) { goto _L__BB1_4; }
  { goto _L__BB1_3; }
  _L__BB1_4:;
  { wr(_rd21, (int64_t)(add_<int64_t>(rd<int64_t>(_rd21), (int64_t)0x1ull))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd21) < (uint64_t)(uint64_t)0x14ull)); }
  if (rd<bool>(_p2)) { goto _L__BB1_1; }
  { return; }
}

static const unsigned o_kernel_0[] = {0, 8, 0}, s_kernel_0[] = {8, 8, 0};
static const unsigned o_kernel_1[] = {0, 8, 0}, s_kernel_1[] = {8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"kernel_0", k_kernel_0, 2, o_kernel_0, s_kernel_0, 16, 0, 1024},
  {"kernel_1", k_kernel_1, 2, o_kernel_1, s_kernel_1, 16, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
