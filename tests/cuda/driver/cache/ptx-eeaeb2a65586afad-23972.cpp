#include "cuda_cpu.h"

static void k_function_value_and_grad_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5, _r6, _r7;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40, _rd41, _rd42, _rd43, _rd44, _rd45, _rd46, _rd47, _rd48, _rd49, _rd50, _rd51, _rd52, _rd53, _rd54, _rd55, _rd56, _rd57, _rd58, _rd59, _rd60, _rd61, _rd62, _rd63, _rd64, _rd65, _rd66, _rd67, _rd68, _rd69, _rd70, _rd71, _rd72, _rd73, _rd74, _rd75, _rd76, _rd77, _rd78;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd20, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd21, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd21))); }
  { wr(_rd2, (uint64_t)(rd<uint64_t>(_rd20))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd4, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd22, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd5, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd77, (int64_t)(add_<int64_t>(rd<int64_t>(_rd22), rd<int64_t>(_rd5)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd77) > (uint64_t)(uint64_t)0xffull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_8; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd23, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd7, (int64_t)((uint64_t)rd<int64_t>(_rd23) * (uint64_t)rd<int64_t>(_rd4))); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd7), (int64_t)0xffull))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), rd<int64_t>(_rd3)))); }
  { wr(_rd26, (int64_t)((uint64_t)rd<int64_t>(_rd25) * (uint64_t)rd<int64_t>(_rd4))); }
  { wr(_rd27, (int64_t)(add_<int64_t>(rd<int64_t>(_rd26), rd<int64_t>(_rd5)))); }
  { wr(_rd8, (int64_t)(sub_<int64_t>(rd<int64_t>(_rd24), rd<int64_t>(_rd27)))); }
  { wr(_rd28, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd8), rd<uint64_t>(_rd7)))); }
  { wr(_rd29, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd28), (uint64_t)0xffffffff00000000ull))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd29) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p2)) { goto _L__BB0_3; }
  { wr(_rd74, (uint64_t)(div_<uint64_t>(rd<uint64_t>(_rd8), rd<uint64_t>(_rd7)))); }
  { goto _L__BB0_4; }
  _L__BB0_3:;
  { wr(_r5, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd7)))); }
  { wr(_r6, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd8)))); }
  { wr(_r7, (uint32_t)(div_<uint32_t>(rd<uint32_t>(_r6), rd<uint32_t>(_r5)))); }
  { wr(_rd74, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r7)))); }
  _L__BB0_4:;
  { wr(_rd30, (int64_t)(add_<int64_t>(rd<int64_t>(_rd74), (int64_t)0x1ull))); }
  { wr(_rd76, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd30), (uint64_t)0x3ull))); }
  { wr(_p3, (bool)((int64_t)rd<int64_t>(_rd76) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p3)) { goto _L__BB0_6; }
  _L__BB0_5:;
  
  { wr(_rd31, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd77), (uint32_t)0x4ull))); }
  { wr(_rd32, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd31), (uint64_t)0xf0ull))); }
  { wr(_rd33, (uint64_t)(shr_<uint64_t>(rd<uint64_t>(_rd77), (uint32_t)0x4ull))); }
  { wr(_rd34, (int64_t)(add_<int64_t>(rd<int64_t>(_rd32), rd<int64_t>(_rd33)))); }
  { wr(_rd35, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd34), (uint32_t)0x3ull))); }
  { wr(_rd36, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd35)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd36), 8, 0, 59)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_rd37, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd77), (uint32_t)0x3ull))); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd37)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd38), 8, 1, 62)); put<double>(p_ + 0, rd<double>(_fd1)); }
  { wr(_rd77, (int64_t)(add_<int64_t>(rd<int64_t>(_rd77), rd<int64_t>(_rd7)))); }
  { wr(_rd76, (int64_t)(add_<int64_t>(rd<int64_t>(_rd76), (int64_t)0xffffffffffffffffull))); }
  { wr(_p4, (bool)((int64_t)rd<int64_t>(_rd76) != (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p4)) { goto _L__BB0_5; }
  _L__BB0_6:;
  { wr(_p5, (bool)((uint64_t)rd<uint64_t>(_rd74) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p5)) { goto _L__BB0_8; }
  _L__BB0_7:;
  { wr(_rd39, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd77), (uint32_t)0x4ull))); }
  { wr(_rd40, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd39), (uint64_t)0xf0ull))); }
  { wr(_rd41, (uint64_t)(shr_<uint64_t>(rd<uint64_t>(_rd77), (uint32_t)0x4ull))); }
  { wr(_rd42, (int64_t)(add_<int64_t>(rd<int64_t>(_rd40), rd<int64_t>(_rd41)))); }
  { wr(_rd43, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd42), (uint32_t)0x3ull))); }
  { wr(_rd44, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd43)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd44), 8, 0, 79)); wr(_fd2, (double)(get<double>(p_ + 0))); }
  { wr(_rd45, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd77), (uint32_t)0x3ull))); }
  { wr(_rd46, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd45)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd46), 8, 1, 82)); put<double>(p_ + 0, rd<double>(_fd2)); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd77), rd<int64_t>(_rd7)))); }
  { wr(_rd48, (uint64_t)(shr_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x4ull))); }
  { wr(_rd49, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x4ull))); }
  { wr(_rd50, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd49), (uint64_t)0xf0ull))); }
  { wr(_rd51, (int64_t)(add_<int64_t>(rd<int64_t>(_rd50), rd<int64_t>(_rd48)))); }
  { wr(_rd52, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd51), (uint32_t)0x3ull))); }
  { wr(_rd53, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd52)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd53), 8, 0, 90)); wr(_fd3, (double)(get<double>(p_ + 0))); }
  { wr(_rd54, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x3ull))); }
  { wr(_rd55, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd54)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd55), 8, 1, 93)); put<double>(p_ + 0, rd<double>(_fd3)); }
  { wr(_rd56, (int64_t)(add_<int64_t>(rd<int64_t>(_rd47), rd<int64_t>(_rd7)))); }
  { wr(_rd57, (uint64_t)(shr_<uint64_t>(rd<uint64_t>(_rd56), (uint32_t)0x4ull))); }
  { wr(_rd58, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd56), (uint32_t)0x4ull))); }
  { wr(_rd59, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd58), (uint64_t)0xf0ull))); }
  { wr(_rd60, (int64_t)(add_<int64_t>(rd<int64_t>(_rd59), rd<int64_t>(_rd57)))); }
  { wr(_rd61, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd60), (uint32_t)0x3ull))); }
  { wr(_rd62, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd61)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd62), 8, 0, 101)); wr(_fd4, (double)(get<double>(p_ + 0))); }
  { wr(_rd63, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd56), (uint32_t)0x3ull))); }
  { wr(_rd64, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd63)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd64), 8, 1, 104)); put<double>(p_ + 0, rd<double>(_fd4)); }
  { wr(_rd65, (int64_t)(add_<int64_t>(rd<int64_t>(_rd56), rd<int64_t>(_rd7)))); }
  { wr(_rd66, (uint64_t)(shr_<uint64_t>(rd<uint64_t>(_rd65), (uint32_t)0x4ull))); }
  { wr(_rd67, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd65), (uint32_t)0x4ull))); }
  { wr(_rd68, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd67), (uint64_t)0xf0ull))); }
  { wr(_rd69, (int64_t)(add_<int64_t>(rd<int64_t>(_rd68), rd<int64_t>(_rd66)))); }
  { wr(_rd70, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd69), (uint32_t)0x3ull))); }
  { wr(_rd71, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd70)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd71), 8, 0, 112)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_rd72, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd65), (uint32_t)0x3ull))); }
  { wr(_rd73, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd72)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd73), 8, 1, 115)); put<double>(p_ + 0, rd<double>(_fd5)); }
  { wr(_rd77, (int64_t)(add_<int64_t>(rd<int64_t>(_rd65), rd<int64_t>(_rd7)))); }
  { wr(_p6, (bool)((uint64_t)rd<uint64_t>(_rd77) < (uint64_t)(uint64_t)0x100ull)); }
  if (rd<bool>(_p6)) { goto _L__BB0_7; }
  _L__BB0_8:;
  { return; }
}

static void k_function_value_and_grad_1(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd10, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd11, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd12, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd18, (int64_t)(add_<int64_t>(rd<int64_t>(_rd11), rd<int64_t>(_rd12)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd18) > (uint64_t)(uint64_t)0xfull)); }
  if (rd<bool>(_p1)) { goto _L__BB1_3; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd13, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd13) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd14, (uint64_t)(rd<uint64_t>(_rd10))); }
  { wr(_rd15, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd18), (uint32_t)0x3ull))); }
  { wr(_rd17, (int64_t)(add_<int64_t>(rd<int64_t>(_rd14), rd<int64_t>(_rd15)))); }
  { wr(_rd5, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd3), (uint32_t)0x3ull))); }
  _L__BB1_2:;
  { wr(_rd16, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd17), 8, 1, 28)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd16)); }
  { wr(_rd17, (int64_t)(add_<int64_t>(rd<int64_t>(_rd17), rd<int64_t>(_rd5)))); }
  { wr(_rd18, (int64_t)(add_<int64_t>(rd<int64_t>(_rd18), rd<int64_t>(_rd3)))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd18) < (uint64_t)(uint64_t)0x10ull)); }
  if (rd<bool>(_p2)) { goto _L__BB1_2; }
  _L__BB1_3:;
  { return; }
}

static void k_function_value_and_grad_2(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5, _r6, _r7;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40, _rd41, _rd42, _rd43, _rd44, _rd45, _rd46, _rd47, _rd48;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd19, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd19))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_rd2, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd20, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd4, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd20), rd<int64_t>(_rd4)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd47) > (uint64_t)(uint64_t)0x1dfull)); }
  if (rd<bool>(_p1)) { goto _L__BB2_8; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd21, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd6, (int64_t)((uint64_t)rd<int64_t>(_rd21) * (uint64_t)rd<int64_t>(_rd3))); }
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd6), (int64_t)0x1dfull))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd21), rd<int64_t>(_rd2)))); }
  { wr(_rd24, (int64_t)((uint64_t)rd<int64_t>(_rd23) * (uint64_t)rd<int64_t>(_rd3))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), rd<int64_t>(_rd4)))); }
  { wr(_rd7, (int64_t)(sub_<int64_t>(rd<int64_t>(_rd22), rd<int64_t>(_rd25)))); }
  { wr(_rd26, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd7), rd<uint64_t>(_rd6)))); }
  { wr(_rd27, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd26), (uint64_t)0xffffffff00000000ull))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd27) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p2)) { goto _L__BB2_3; }
  { wr(_rd44, (uint64_t)(div_<uint64_t>(rd<uint64_t>(_rd7), rd<uint64_t>(_rd6)))); }
  { goto _L__BB2_4; }
  _L__BB2_3:;
  { wr(_r5, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd6)))); }
  { wr(_r6, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd7)))); }
  { wr(_r7, (uint32_t)(div_<uint32_t>(rd<uint32_t>(_r6), rd<uint32_t>(_r5)))); }
  { wr(_rd44, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r7)))); }
  _L__BB2_4:;
  { wr(_rd28, (int64_t)(add_<int64_t>(rd<int64_t>(_rd44), (int64_t)0x1ull))); }
  { wr(_rd46, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd28), (uint64_t)0x3ull))); }
  { wr(_p3, (bool)((int64_t)rd<int64_t>(_rd46) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p3)) { goto _L__BB2_6; }
  _L__BB2_5:;
  
  { wr(_rd29, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x3ull))); }
  { wr(_rd30, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd29)))); }
  { wr(_rd31, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd30), 8, 1, 53)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd31)); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd47), rd<int64_t>(_rd6)))); }
  { wr(_rd46, (int64_t)(add_<int64_t>(rd<int64_t>(_rd46), (int64_t)0xffffffffffffffffull))); }
  { wr(_p4, (bool)((int64_t)rd<int64_t>(_rd46) != (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p4)) { goto _L__BB2_5; }
  _L__BB2_6:;
  { wr(_p5, (bool)((uint64_t)rd<uint64_t>(_rd44) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p5)) { goto _L__BB2_8; }
  _L__BB2_7:;
  { wr(_rd32, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x3ull))); }
  { wr(_rd33, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd32)))); }
  { wr(_rd34, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd33), 8, 1, 67)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd35, (int64_t)(add_<int64_t>(rd<int64_t>(_rd47), rd<int64_t>(_rd6)))); }
  { wr(_rd36, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd35), (uint32_t)0x3ull))); }
  { wr(_rd37, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd36)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd37), 8, 1, 71)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd35), rd<int64_t>(_rd6)))); }
  { wr(_rd39, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd38), (uint32_t)0x3ull))); }
  { wr(_rd40, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd39)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd40), 8, 1, 75)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd41, (int64_t)(add_<int64_t>(rd<int64_t>(_rd38), rd<int64_t>(_rd6)))); }
  { wr(_rd42, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd41), (uint32_t)0x3ull))); }
  { wr(_rd43, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd42)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd43), 8, 1, 79)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd41), rd<int64_t>(_rd6)))); }
  { wr(_p6, (bool)((uint64_t)rd<uint64_t>(_rd47) < (uint64_t)(uint64_t)0x1e0ull)); }
  if (rd<bool>(_p6)) { goto _L__BB2_7; }
  _L__BB2_8:;
  { return; }
}

static void k_function_value_and_grad_3(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5, _r6, _r7;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48, _fd49, _fd50, _fd51, _fd52, _fd53, _fd54, _fd55, _fd56, _fd57, _fd58, _fd59, _fd60, _fd61, _fd62, _fd63, _fd64, _fd65, _fd66, _fd67, _fd68, _fd69, _fd70, _fd71, _fd72, _fd73, _fd74, _fd75, _fd76, _fd77, _fd78, _fd79, _fd80;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd14, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd15, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 16)); wr(_rd16, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 24)); wr(_rd17, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd15))); }
  { wr(_rd2, (uint64_t)(rd<uint64_t>(_rd16))); }
  { wr(_rd3, (uint64_t)(rd<uint64_t>(_rd14))); }
  { wr(_rd4, (uint64_t)(rd<uint64_t>(_rd17))); }
  { wr(_r4, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd5, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_r5, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd6, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r5)))); }
  { wr(_rd34, (uint64_t)((uint64_t)0x0ull)); }
  { wr(_r7, (uint32_t)((uint32_t)0x0ull)); }
  { wr(_r6, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd5)))); }
  _L__BB3_1:;
  { wr(_p1, (bool)((uint32_t)rd<uint32_t>(_r6) > (uint32_t)(uint32_t)0xfull)); }
  if (rd<bool>(_p1)) { goto _L__BB3_4; }
  { wr(_rd18, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd34), (uint32_t)0x7ull))); }
  { wr(_rd9, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd18)))); }
  { wr(_rd35, (uint64_t)(rd<uint64_t>(_rd5))); }
  _L__BB3_3:;
  { wr(_rd33, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd34), (uint32_t)0x4ull))); }
  { wr(_rd19, (int64_t)(add_<int64_t>(rd<int64_t>(_rd35), rd<int64_t>(_rd33)))); }
  { wr(_rd20, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd19), (uint32_t)0x3ull))); }
  { wr(_rd21, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd20)))); }
  { wr(_rd22, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd35), (uint32_t)0x3ull))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd22)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9), 8, 0, 39)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23), 8, 0, 40)); wr(_fd2, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21), 8, 0, 41)); wr(_fd3, (double)(get<double>(p_ + 0))); }
  { wr(_fd4, (double)(fma_<double, 0>(rd<double>(_fd2), rd<double>(_fd1), rd<double>(_fd3)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (8), 8, 0, 43)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (128), 8, 0, 44)); wr(_fd6, (double)(get<double>(p_ + 0))); }
  { wr(_fd7, (double)(fma_<double, 0>(rd<double>(_fd6), rd<double>(_fd5), rd<double>(_fd4)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (16), 8, 0, 46)); wr(_fd8, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (256), 8, 0, 47)); wr(_fd9, (double)(get<double>(p_ + 0))); }
  { wr(_fd10, (double)(fma_<double, 0>(rd<double>(_fd9), rd<double>(_fd8), rd<double>(_fd7)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (24), 8, 0, 49)); wr(_fd11, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (384), 8, 0, 50)); wr(_fd12, (double)(get<double>(p_ + 0))); }
  { wr(_fd13, (double)(fma_<double, 0>(rd<double>(_fd12), rd<double>(_fd11), rd<double>(_fd10)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (32), 8, 0, 52)); wr(_fd14, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (512), 8, 0, 53)); wr(_fd15, (double)(get<double>(p_ + 0))); }
  { wr(_fd16, (double)(fma_<double, 0>(rd<double>(_fd15), rd<double>(_fd14), rd<double>(_fd13)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (40), 8, 0, 55)); wr(_fd17, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (640), 8, 0, 56)); wr(_fd18, (double)(get<double>(p_ + 0))); }
  { wr(_fd19, (double)(fma_<double, 0>(rd<double>(_fd18), rd<double>(_fd17), rd<double>(_fd16)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (48), 8, 0, 58)); wr(_fd20, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (768), 8, 0, 59)); wr(_fd21, (double)(get<double>(p_ + 0))); }
  { wr(_fd22, (double)(fma_<double, 0>(rd<double>(_fd21), rd<double>(_fd20), rd<double>(_fd19)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (56), 8, 0, 61)); wr(_fd23, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (896), 8, 0, 62)); wr(_fd24, (double)(get<double>(p_ + 0))); }
  { wr(_fd25, (double)(fma_<double, 0>(rd<double>(_fd24), rd<double>(_fd23), rd<double>(_fd22)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (64), 8, 0, 64)); wr(_fd26, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1024), 8, 0, 65)); wr(_fd27, (double)(get<double>(p_ + 0))); }
  { wr(_fd28, (double)(fma_<double, 0>(rd<double>(_fd27), rd<double>(_fd26), rd<double>(_fd25)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (72), 8, 0, 67)); wr(_fd29, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1152), 8, 0, 68)); wr(_fd30, (double)(get<double>(p_ + 0))); }
  { wr(_fd31, (double)(fma_<double, 0>(rd<double>(_fd30), rd<double>(_fd29), rd<double>(_fd28)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (80), 8, 0, 70)); wr(_fd32, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1280), 8, 0, 71)); wr(_fd33, (double)(get<double>(p_ + 0))); }
  { wr(_fd34, (double)(fma_<double, 0>(rd<double>(_fd33), rd<double>(_fd32), rd<double>(_fd31)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (88), 8, 0, 73)); wr(_fd35, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1408), 8, 0, 74)); wr(_fd36, (double)(get<double>(p_ + 0))); }
  { wr(_fd37, (double)(fma_<double, 0>(rd<double>(_fd36), rd<double>(_fd35), rd<double>(_fd34)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (96), 8, 0, 76)); wr(_fd38, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1536), 8, 0, 77)); wr(_fd39, (double)(get<double>(p_ + 0))); }
  { wr(_fd40, (double)(fma_<double, 0>(rd<double>(_fd39), rd<double>(_fd38), rd<double>(_fd37)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (104), 8, 0, 79)); wr(_fd41, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1664), 8, 0, 80)); wr(_fd42, (double)(get<double>(p_ + 0))); }
  { wr(_fd43, (double)(fma_<double, 0>(rd<double>(_fd42), rd<double>(_fd41), rd<double>(_fd40)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (112), 8, 0, 82)); wr(_fd44, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1792), 8, 0, 83)); wr(_fd45, (double)(get<double>(p_ + 0))); }
  { wr(_fd46, (double)(fma_<double, 0>(rd<double>(_fd45), rd<double>(_fd44), rd<double>(_fd43)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd9) + (120), 8, 0, 85)); wr(_fd47, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23) + (1920), 8, 0, 86)); wr(_fd48, (double)(get<double>(p_ + 0))); }
  { wr(_fd49, (double)(fma_<double, 0>(rd<double>(_fd48), rd<double>(_fd47), rd<double>(_fd46)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd21), 8, 1, 88)); put<double>(p_ + 0, rd<double>(_fd49)); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd3), rd<int64_t>(_rd20)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24), 8, 0, 90)); wr(_fd50, (double)(get<double>(p_ + 0))); }
  { wr(_fd51, (double)(add_<double, 0>(rd<double>(_fd49), rd<double>(_fd50)))); }
  { wr(_fd52, (double)(abs_<double>(rd<double>(_fd51)))); }
  { wr(_fd53, (double)(add_<double, 0>(rd<double>(_fd52), rd<double>(_fd52)))); }
  { wr(_p2, (bool)((double)rd<double>(_fd53) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd54, (double)(rd<bool>(_p2) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd53))); }
  { wr(_fd55, (double)(fma_<double, 0>(rd<double>(_fd54), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd56, (double)(add_<double, 0>(rd<double>(_fd55), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd57, (double)(fma_<double, 0>(rd<double>(_fd56), bits<double>(0xBFE62E42FEFA3800ull), rd<double>(_fd54)))); }
  { wr(_fd58, (double)(mul_<double, 0>(rd<double>(_fd56), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd59, (double)(sub_<double, 0>(rd<double>(_fd57), rd<double>(_fd58)))); }
  { wr(_fd60, (double)(sub_<double, 0>(rd<double>(_fd57), rd<double>(_fd59)))); }
  { wr(_fd61, (double)(sub_<double, 0>(rd<double>(_fd60), rd<double>(_fd58)))); }
  { wr(_fd62, (double)(add_<double, 0>(rd<double>(_fd56), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd25, (uint64_t)(rd<uint64_t>(_fd62))); }
  { wr(_rd26, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd25), (uint32_t)0x34ull))); }
  { wr(_rd27, (int64_t)(add_<int64_t>(rd<int64_t>(_rd26), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd63, (uint64_t)(rd<uint64_t>(_rd27))); }
  { wr(_fd64, (double)(mul_<double, 0>(rd<double>(_fd59), rd<double>(_fd59)))); }
  { wr(_fd65, (double)(mul_<double, 0>(rd<double>(_fd64), rd<double>(_fd64)))); }
  { wr(_fd66, (double)(fma_<double, 0>(rd<double>(_fd59), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd67, (double)(fma_<double, 0>(rd<double>(_fd59), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd68, (double)(fma_<double, 0>(rd<double>(_fd59), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd69, (double)(fma_<double, 0>(rd<double>(_fd59), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd70, (double)(fma_<double, 0>(rd<double>(_fd59), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd71, (double)(fma_<double, 0>(rd<double>(_fd64), rd<double>(_fd67), rd<double>(_fd66)))); }
  { wr(_fd72, (double)(fma_<double, 0>(rd<double>(_fd64), rd<double>(_fd69), rd<double>(_fd68)))); }
  { wr(_fd73, (double)(fma_<double, 0>(rd<double>(_fd70), rd<double>(_fd65), rd<double>(_fd72)))); }
  { wr(_fd74, (double)(fma_<double, 0>(rd<double>(_fd65), rd<double>(_fd73), rd<double>(_fd71)))); }
  { wr(_fd75, (double)(fma_<double, 0>(rd<double>(_fd64), rd<double>(_fd74), rd<double>(_fd61)))); }
  { wr(_fd76, (double)(add_<double, 0>(rd<double>(_fd59), rd<double>(_fd75)))); }
  { wr(_fd77, (double)(add_<double, 0>(rd<double>(_fd63), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd78, (double)(fma_<double, 0>(rd<double>(_fd76), rd<double>(_fd63), rd<double>(_fd77)))); }
  { wr(_fd79, (double)(add_<double, 0>(rd<double>(_fd78), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd80, (double)(div_<double>(rd<double>(_fd78), rd<double>(_fd79)))); }
  { wr(_rd28, (uint64_t)(rd<uint64_t>(_fd80))); }
  { wr(_rd29, (uint64_t)(rd<uint64_t>(_fd51))); }
  { wr(_rd30, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd29), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd31, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd30), rd<uint64_t>(_rd28)))); }
  { wr(_rd32, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd20)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd32) + (128), 8, 1, 130)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd31)); }
  { wr(_rd35, (int64_t)(add_<int64_t>(rd<int64_t>(_rd35), rd<int64_t>(_rd6)))); }
  { wr(_p3, (bool)((uint64_t)rd<uint64_t>(_rd35) < (uint64_t)(uint64_t)0x10ull)); }
  if (rd<bool>(_p3)) { goto _L__BB3_3; }
  _L__BB3_4:;
  { blockBarrier(T, (uint32_t)0x0ull, 0); }
  { wr(_rd34, (int64_t)(add_<int64_t>(rd<int64_t>(_rd34), (int64_t)0x1ull))); }
  { wr(_r7, (int32_t)(add_<int32_t>(rd<int32_t>(_r7), (int32_t)0x1ull))); }
  { wr(_p4, (bool)((uint32_t)rd<uint32_t>(_r7) < (uint32_t)(uint32_t)0x1eull)); }
  if (rd<bool>(_p4)) { goto _L__BB3_1; }
  { return; }
}

static void k_function_value_and_grad_4(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd1, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd2, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd3, (uint64_t)(rd<uint64_t>(_rd2))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3840), 8, 0, 9)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_fd2, (double)(fma_<double, 0>(rd<double>(_fd1), rd<double>(_fd1), bits<double>(0x0000000000000000ull)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3848), 8, 0, 11)); wr(_fd3, (double)(get<double>(p_ + 0))); }
  { wr(_fd4, (double)(fma_<double, 0>(rd<double>(_fd3), rd<double>(_fd3), rd<double>(_fd2)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3856), 8, 0, 13)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_fd6, (double)(fma_<double, 0>(rd<double>(_fd5), rd<double>(_fd5), rd<double>(_fd4)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3864), 8, 0, 15)); wr(_fd7, (double)(get<double>(p_ + 0))); }
  { wr(_fd8, (double)(fma_<double, 0>(rd<double>(_fd7), rd<double>(_fd7), rd<double>(_fd6)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3872), 8, 0, 17)); wr(_fd9, (double)(get<double>(p_ + 0))); }
  { wr(_fd10, (double)(fma_<double, 0>(rd<double>(_fd9), rd<double>(_fd9), rd<double>(_fd8)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3880), 8, 0, 19)); wr(_fd11, (double)(get<double>(p_ + 0))); }
  { wr(_fd12, (double)(fma_<double, 0>(rd<double>(_fd11), rd<double>(_fd11), rd<double>(_fd10)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3888), 8, 0, 21)); wr(_fd13, (double)(get<double>(p_ + 0))); }
  { wr(_fd14, (double)(fma_<double, 0>(rd<double>(_fd13), rd<double>(_fd13), rd<double>(_fd12)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3896), 8, 0, 23)); wr(_fd15, (double)(get<double>(p_ + 0))); }
  { wr(_fd16, (double)(fma_<double, 0>(rd<double>(_fd15), rd<double>(_fd15), rd<double>(_fd14)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3904), 8, 0, 25)); wr(_fd17, (double)(get<double>(p_ + 0))); }
  { wr(_fd18, (double)(fma_<double, 0>(rd<double>(_fd17), rd<double>(_fd17), rd<double>(_fd16)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3912), 8, 0, 27)); wr(_fd19, (double)(get<double>(p_ + 0))); }
  { wr(_fd20, (double)(fma_<double, 0>(rd<double>(_fd19), rd<double>(_fd19), rd<double>(_fd18)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3920), 8, 0, 29)); wr(_fd21, (double)(get<double>(p_ + 0))); }
  { wr(_fd22, (double)(fma_<double, 0>(rd<double>(_fd21), rd<double>(_fd21), rd<double>(_fd20)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3928), 8, 0, 31)); wr(_fd23, (double)(get<double>(p_ + 0))); }
  { wr(_fd24, (double)(fma_<double, 0>(rd<double>(_fd23), rd<double>(_fd23), rd<double>(_fd22)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3936), 8, 0, 33)); wr(_fd25, (double)(get<double>(p_ + 0))); }
  { wr(_fd26, (double)(fma_<double, 0>(rd<double>(_fd25), rd<double>(_fd25), rd<double>(_fd24)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3944), 8, 0, 35)); wr(_fd27, (double)(get<double>(p_ + 0))); }
  { wr(_fd28, (double)(fma_<double, 0>(rd<double>(_fd27), rd<double>(_fd27), rd<double>(_fd26)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3952), 8, 0, 37)); wr(_fd29, (double)(get<double>(p_ + 0))); }
  { wr(_fd30, (double)(fma_<double, 0>(rd<double>(_fd29), rd<double>(_fd29), rd<double>(_fd28)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd3) + (3960), 8, 0, 39)); wr(_fd31, (double)(get<double>(p_ + 0))); }
  { wr(_fd32, (double)(fma_<double, 0>(rd<double>(_fd31), rd<double>(_fd31), rd<double>(_fd30)))); }
  { wr(_rd4, (uint64_t)(rd<uint64_t>(_rd1))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd4), 8, 1, 42)); put<double>(p_ + 0, rd<double>(_fd32)); }
  { return; }
}

static void k_function_value_and_grad_5(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _fd0, _fd1, _fd2;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd13, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd14, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd15, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd16, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd15), rd<int64_t>(_rd16)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd25) > (uint64_t)(uint64_t)0xfull)); }
  if (rd<bool>(_p1)) { goto _L__BB5_3; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd17, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd17) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd18, (uint64_t)(rd<uint64_t>(_rd14))); }
  { wr(_rd19, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd25), (uint32_t)0x3ull))); }
  { wr(_rd20, (int64_t)(add_<int64_t>(rd<int64_t>(_rd18), rd<int64_t>(_rd19)))); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd20), (int64_t)0xf00ull))); }
  { wr(_rd5, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd3), (uint32_t)0x3ull))); }
  { wr(_rd21, (uint64_t)(rd<uint64_t>(_rd13))); }
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd21), rd<int64_t>(_rd19)))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd22), (int64_t)0xf00ull))); }
  _L__BB5_2:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd23), 8, 0, 33)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_fd2, (double)(add_<double, 0>(rd<double>(_fd1), rd<double>(_fd1)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd24), 8, 1, 35)); put<double>(p_ + 0, rd<double>(_fd2)); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), rd<int64_t>(_rd5)))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), rd<int64_t>(_rd5)))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd25), rd<int64_t>(_rd3)))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd25) < (uint64_t)(uint64_t)0x10ull)); }
  if (rd<bool>(_p2)) { goto _L__BB5_2; }
  _L__BB5_3:;
  { return; }
}

static void k_function_value_and_grad_6(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5, _r6, _r7;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40, _rd41, _rd42, _rd43, _rd44, _rd45, _rd46, _rd47, _rd48;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd19, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd19))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_rd2, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd20, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd4, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd20), rd<int64_t>(_rd4)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd47) > (uint64_t)(uint64_t)0x1cfull)); }
  if (rd<bool>(_p1)) { goto _L__BB6_8; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd21, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd6, (int64_t)((uint64_t)rd<int64_t>(_rd21) * (uint64_t)rd<int64_t>(_rd3))); }
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd6), (int64_t)0x1cfull))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd21), rd<int64_t>(_rd2)))); }
  { wr(_rd24, (int64_t)((uint64_t)rd<int64_t>(_rd23) * (uint64_t)rd<int64_t>(_rd3))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd24), rd<int64_t>(_rd4)))); }
  { wr(_rd7, (int64_t)(sub_<int64_t>(rd<int64_t>(_rd22), rd<int64_t>(_rd25)))); }
  { wr(_rd26, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd7), rd<uint64_t>(_rd6)))); }
  { wr(_rd27, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd26), (uint64_t)0xffffffff00000000ull))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd27) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p2)) { goto _L__BB6_3; }
  { wr(_rd44, (uint64_t)(div_<uint64_t>(rd<uint64_t>(_rd7), rd<uint64_t>(_rd6)))); }
  { goto _L__BB6_4; }
  _L__BB6_3:;
  { wr(_r5, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd6)))); }
  { wr(_r6, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd7)))); }
  { wr(_r7, (uint32_t)(div_<uint32_t>(rd<uint32_t>(_r6), rd<uint32_t>(_r5)))); }
  { wr(_rd44, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r7)))); }
  _L__BB6_4:;
  { wr(_rd28, (int64_t)(add_<int64_t>(rd<int64_t>(_rd44), (int64_t)0x1ull))); }
  { wr(_rd46, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd28), (uint64_t)0x3ull))); }
  { wr(_p3, (bool)((int64_t)rd<int64_t>(_rd46) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p3)) { goto _L__BB6_6; }
  _L__BB6_5:;
  
  { wr(_rd29, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x3ull))); }
  { wr(_rd30, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd29)))); }
  { wr(_rd31, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd30) + (128), 8, 1, 53)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd31)); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd47), rd<int64_t>(_rd6)))); }
  { wr(_rd46, (int64_t)(add_<int64_t>(rd<int64_t>(_rd46), (int64_t)0xffffffffffffffffull))); }
  { wr(_p4, (bool)((int64_t)rd<int64_t>(_rd46) != (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p4)) { goto _L__BB6_5; }
  _L__BB6_6:;
  { wr(_p5, (bool)((uint64_t)rd<uint64_t>(_rd44) < (uint64_t)(uint64_t)0x3ull)); }
  if (rd<bool>(_p5)) { goto _L__BB6_8; }
  _L__BB6_7:;
  { wr(_rd32, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x3ull))); }
  { wr(_rd33, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd32)))); }
  { wr(_rd34, (uint64_t)((uint64_t)0x0ull)); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd33) + (128), 8, 1, 67)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd35, (int64_t)(add_<int64_t>(rd<int64_t>(_rd47), rd<int64_t>(_rd6)))); }
  { wr(_rd36, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd35), (uint32_t)0x3ull))); }
  { wr(_rd37, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd36)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd37) + (128), 8, 1, 71)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd35), rd<int64_t>(_rd6)))); }
  { wr(_rd39, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd38), (uint32_t)0x3ull))); }
  { wr(_rd40, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd39)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (128), 8, 1, 75)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd41, (int64_t)(add_<int64_t>(rd<int64_t>(_rd38), rd<int64_t>(_rd6)))); }
  { wr(_rd42, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd41), (uint32_t)0x3ull))); }
  { wr(_rd43, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd42)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd43) + (128), 8, 1, 79)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd34)); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd41), rd<int64_t>(_rd6)))); }
  { wr(_p6, (bool)((uint64_t)rd<uint64_t>(_rd47) < (uint64_t)(uint64_t)0x1d0ull)); }
  if (rd<bool>(_p6)) { goto _L__BB6_7; }
  _L__BB6_8:;
  { return; }
}

static void k_function_value_and_grad_7(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48, _fd49, _fd50, _fd51, _fd52, _fd53, _fd54, _fd55;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd18, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd19, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 16)); wr(_rd20, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 24)); wr(_rd21, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd20))); }
  { wr(_rd2, (uint64_t)(rd<uint64_t>(_rd19))); }
  { wr(_rd3, (uint64_t)(rd<uint64_t>(_rd18))); }
  { wr(_rd4, (uint64_t)(rd<uint64_t>(_rd21))); }
  { wr(_r1, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd5, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd6, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd35, (uint64_t)((uint64_t)0x1dull)); }
  { wr(_r3, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd5)))); }
  _L__BB7_1:;
  { wr(_p1, (bool)((uint32_t)rd<uint32_t>(_r3) > (uint32_t)(uint32_t)0xfull)); }
  if (rd<bool>(_p1)) { goto _L__BB7_4; }
  { wr(_rd8, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd35), (uint32_t)0x4ull))); }
  { wr(_rd9, (int64_t)(add_<int64_t>(rd<int64_t>(_rd8), (int64_t)0x10ull))); }
  { wr(_rd36, (uint64_t)(rd<uint64_t>(_rd5))); }
  _L__BB7_3:;
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd9), rd<int64_t>(_rd36)))); }
  { wr(_rd23, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd22), (uint32_t)0x3ull))); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd23)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd24), 8, 0, 35)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_fd2, (double)(mul_<double, 0>(rd<double>(_fd1), rd<double>(_fd1)))); }
  { wr(_fd3, (double)(bits<double>(0x3FF0000000000000ull))); }
  { wr(_fd4, (double)(sub_<double, 0>(rd<double>(_fd3), rd<double>(_fd2)))); }
  { wr(_rd25, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd23)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd25), 8, 0, 40)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_fd6, (double)(mul_<double, 0>(rd<double>(_fd5), rd<double>(_fd4)))); }
  { wr(_rd26, (int64_t)(add_<int64_t>(rd<int64_t>(_rd36), rd<int64_t>(_rd8)))); }
  { wr(_rd27, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd26), (uint32_t)0x3ull))); }
  { wr(_rd28, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd27)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd28), 8, 1, 45)); put<double>(p_ + 0, rd<double>(_fd6)); }
  { wr(_rd36, (int64_t)(add_<int64_t>(rd<int64_t>(_rd36), rd<int64_t>(_rd6)))); }
  { wr(_p2, (bool)((uint64_t)rd<uint64_t>(_rd36) < (uint64_t)(uint64_t)0x10ull)); }
  if (rd<bool>(_p2)) { goto _L__BB7_3; }
  _L__BB7_4:;
  { blockBarrier(T, (uint32_t)0x0ull, 0); }
  { wr(_p3, (bool)((int64_t)rd<int64_t>(_rd35) < (int64_t)(int64_t)0x1ull)); }
  if (rd<bool>(_p3)) { goto _L__BB7_9; }
  if (rd<bool>(_p1)) { goto _L__BB7_8; }
  { wr(_rd12, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd35), (uint32_t)0x4ull))); }
  { wr(_rd29, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd35), (uint32_t)0x7ull))); }
  { wr(_rd13, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd29)))); }
  { wr(_rd37, (uint64_t)(rd<uint64_t>(_rd5))); }
  _L__BB7_7:;
  { wr(_rd30, (int64_t)(add_<int64_t>(rd<int64_t>(_rd37), rd<int64_t>(_rd12)))); }
  { wr(_rd31, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd30), (uint32_t)0x3ull))); }
  { wr(_rd32, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd31)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13), 8, 0, 66)); wr(_fd7, (double)(get<double>(p_ + 0))); }
  { wr(_rd33, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd37), (uint32_t)0x3ull))); }
  { wr(_rd34, (int64_t)(add_<int64_t>(rd<int64_t>(_rd3), rd<int64_t>(_rd33)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34), 8, 0, 69)); wr(_fd8, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd32), 8, 0, 70)); wr(_fd9, (double)(get<double>(p_ + 0))); }
  { wr(_fd10, (double)(fma_<double, 0>(rd<double>(_fd8), rd<double>(_fd7), rd<double>(_fd9)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (8), 8, 0, 72)); wr(_fd11, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (128), 8, 0, 73)); wr(_fd12, (double)(get<double>(p_ + 0))); }
  { wr(_fd13, (double)(fma_<double, 0>(rd<double>(_fd12), rd<double>(_fd11), rd<double>(_fd10)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (16), 8, 0, 75)); wr(_fd14, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (256), 8, 0, 76)); wr(_fd15, (double)(get<double>(p_ + 0))); }
  { wr(_fd16, (double)(fma_<double, 0>(rd<double>(_fd15), rd<double>(_fd14), rd<double>(_fd13)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (24), 8, 0, 78)); wr(_fd17, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (384), 8, 0, 79)); wr(_fd18, (double)(get<double>(p_ + 0))); }
  { wr(_fd19, (double)(fma_<double, 0>(rd<double>(_fd18), rd<double>(_fd17), rd<double>(_fd16)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (32), 8, 0, 81)); wr(_fd20, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (512), 8, 0, 82)); wr(_fd21, (double)(get<double>(p_ + 0))); }
  { wr(_fd22, (double)(fma_<double, 0>(rd<double>(_fd21), rd<double>(_fd20), rd<double>(_fd19)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (40), 8, 0, 84)); wr(_fd23, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (640), 8, 0, 85)); wr(_fd24, (double)(get<double>(p_ + 0))); }
  { wr(_fd25, (double)(fma_<double, 0>(rd<double>(_fd24), rd<double>(_fd23), rd<double>(_fd22)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (48), 8, 0, 87)); wr(_fd26, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (768), 8, 0, 88)); wr(_fd27, (double)(get<double>(p_ + 0))); }
  { wr(_fd28, (double)(fma_<double, 0>(rd<double>(_fd27), rd<double>(_fd26), rd<double>(_fd25)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (56), 8, 0, 90)); wr(_fd29, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (896), 8, 0, 91)); wr(_fd30, (double)(get<double>(p_ + 0))); }
  { wr(_fd31, (double)(fma_<double, 0>(rd<double>(_fd30), rd<double>(_fd29), rd<double>(_fd28)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (64), 8, 0, 93)); wr(_fd32, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1024), 8, 0, 94)); wr(_fd33, (double)(get<double>(p_ + 0))); }
  { wr(_fd34, (double)(fma_<double, 0>(rd<double>(_fd33), rd<double>(_fd32), rd<double>(_fd31)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (72), 8, 0, 96)); wr(_fd35, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1152), 8, 0, 97)); wr(_fd36, (double)(get<double>(p_ + 0))); }
  { wr(_fd37, (double)(fma_<double, 0>(rd<double>(_fd36), rd<double>(_fd35), rd<double>(_fd34)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (80), 8, 0, 99)); wr(_fd38, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1280), 8, 0, 100)); wr(_fd39, (double)(get<double>(p_ + 0))); }
  { wr(_fd40, (double)(fma_<double, 0>(rd<double>(_fd39), rd<double>(_fd38), rd<double>(_fd37)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (88), 8, 0, 102)); wr(_fd41, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1408), 8, 0, 103)); wr(_fd42, (double)(get<double>(p_ + 0))); }
  { wr(_fd43, (double)(fma_<double, 0>(rd<double>(_fd42), rd<double>(_fd41), rd<double>(_fd40)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (96), 8, 0, 105)); wr(_fd44, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1536), 8, 0, 106)); wr(_fd45, (double)(get<double>(p_ + 0))); }
  { wr(_fd46, (double)(fma_<double, 0>(rd<double>(_fd45), rd<double>(_fd44), rd<double>(_fd43)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (104), 8, 0, 108)); wr(_fd47, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1664), 8, 0, 109)); wr(_fd48, (double)(get<double>(p_ + 0))); }
  { wr(_fd49, (double)(fma_<double, 0>(rd<double>(_fd48), rd<double>(_fd47), rd<double>(_fd46)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (112), 8, 0, 111)); wr(_fd50, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1792), 8, 0, 112)); wr(_fd51, (double)(get<double>(p_ + 0))); }
  { wr(_fd52, (double)(fma_<double, 0>(rd<double>(_fd51), rd<double>(_fd50), rd<double>(_fd49)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd13) + (120), 8, 0, 114)); wr(_fd53, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd34) + (1920), 8, 0, 115)); wr(_fd54, (double)(get<double>(p_ + 0))); }
  { wr(_fd55, (double)(fma_<double, 0>(rd<double>(_fd54), rd<double>(_fd53), rd<double>(_fd52)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd32), 8, 1, 117)); put<double>(p_ + 0, rd<double>(_fd55)); }
  { wr(_rd37, (int64_t)(add_<int64_t>(rd<int64_t>(_rd37), rd<int64_t>(_rd6)))); }
  { wr(_p5, (bool)((uint64_t)rd<uint64_t>(_rd37) < (uint64_t)(uint64_t)0x10ull)); }
  if (rd<bool>(_p5)) { goto _L__BB7_7; }
  _L__BB7_8:;
  { blockBarrier(T, (uint32_t)0x0ull, 0); }
  _L__BB7_9:;
  { wr(_p6, (bool)((int64_t)rd<int64_t>(_rd35) > (int64_t)(int64_t)0x0ull)); }
  { wr(_rd35, (int64_t)(add_<int64_t>(rd<int64_t>(_rd35), (int64_t)0xffffffffffffffffull))); }
  if (rd<bool>(_p6)) { goto _L__BB7_1; }
  { return; }
}

static void k_function_value_and_grad_8(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48, _fd49, _fd50, _fd51;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd20, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd21, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 16)); wr(_rd22, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd23, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd24, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd37, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), rd<int64_t>(_rd24)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd37) > (uint64_t)(uint64_t)0xffull)); }
  if (rd<bool>(_p1)) { goto _L__BB8_6; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd25, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd25) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd26, (uint64_t)(rd<uint64_t>(_rd21))); }
  { wr(_rd4, (int64_t)(add_<int64_t>(rd<int64_t>(_rd26), (int64_t)0x400ull))); }
  { wr(_rd27, (uint64_t)(rd<uint64_t>(_rd22))); }
  { wr(_rd5, (int64_t)(add_<int64_t>(rd<int64_t>(_rd27), (int64_t)0x400ull))); }
  { wr(_rd6, (uint64_t)(rd<uint64_t>(_rd20))); }
  _L__BB8_2:;
  { wr(_rd29, (uint64_t)(shr_<uint64_t>(rd<uint64_t>(_rd37), (uint32_t)0x1ull))); }
  { wr(_rd30, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd29), (uint64_t)0x7ffffffffffffff8ull))); }
  { wr(_rd40, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd30)))); }
  { wr(_rd9, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd37), (uint64_t)0xfull))); }
  { wr(_rd31, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd37), (uint32_t)0x3ull))); }
  { wr(_rd32, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd31), (uint64_t)0x78ull))); }
  { wr(_rd39, (int64_t)(add_<int64_t>(rd<int64_t>(_rd5), rd<int64_t>(_rd32)))); }
  { wr(_fd51, (double)(bits<double>(0x0000000000000000ull))); }
  { wr(_rd38, (uint64_t)((uint64_t)0x20ull)); }
  { goto _L__BB8_3; }
  _L__BB8_4:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd14) + (1792), 8, 0, 43)); wr(_fd46, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd15) + (1792), 8, 0, 44)); wr(_fd47, (double)(get<double>(p_ + 0))); }
  { wr(_fd48, (double)(fma_<double, 0>(rd<double>(_fd47), rd<double>(_fd46), rd<double>(_fd2)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd14) + (1920), 8, 0, 46)); wr(_fd49, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd15) + (1920), 8, 0, 47)); wr(_fd50, (double)(get<double>(p_ + 0))); }
  { wr(_fd51, (double)(fma_<double, 0>(rd<double>(_fd50), rd<double>(_fd49), rd<double>(_fd48)))); }
  { wr(_rd40, (int64_t)(add_<int64_t>(rd<int64_t>(_rd40), (int64_t)0x800ull))); }
  { wr(_rd39, (int64_t)(add_<int64_t>(rd<int64_t>(_rd39), (int64_t)0x800ull))); }
  _L__BB8_3:;
  
  { wr(_rd14, (int64_t)(add_<int64_t>(rd<int64_t>(_rd40), (int64_t)0xfffffffffffffc00ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-1024), 8, 0, 55)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_rd15, (int64_t)(add_<int64_t>(rd<int64_t>(_rd39), (int64_t)0xfffffffffffffc00ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-1024), 8, 0, 57)); wr(_fd6, (double)(get<double>(p_ + 0))); }
  { wr(_fd7, (double)(fma_<double, 0>(rd<double>(_fd6), rd<double>(_fd5), rd<double>(_fd51)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-896), 8, 0, 59)); wr(_fd8, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-896), 8, 0, 60)); wr(_fd9, (double)(get<double>(p_ + 0))); }
  { wr(_fd10, (double)(fma_<double, 0>(rd<double>(_fd9), rd<double>(_fd8), rd<double>(_fd7)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-768), 8, 0, 62)); wr(_fd11, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-768), 8, 0, 63)); wr(_fd12, (double)(get<double>(p_ + 0))); }
  { wr(_fd13, (double)(fma_<double, 0>(rd<double>(_fd12), rd<double>(_fd11), rd<double>(_fd10)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-640), 8, 0, 65)); wr(_fd14, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-640), 8, 0, 66)); wr(_fd15, (double)(get<double>(p_ + 0))); }
  { wr(_fd16, (double)(fma_<double, 0>(rd<double>(_fd15), rd<double>(_fd14), rd<double>(_fd13)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-512), 8, 0, 68)); wr(_fd17, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-512), 8, 0, 69)); wr(_fd18, (double)(get<double>(p_ + 0))); }
  { wr(_fd19, (double)(fma_<double, 0>(rd<double>(_fd18), rd<double>(_fd17), rd<double>(_fd16)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-384), 8, 0, 71)); wr(_fd20, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-384), 8, 0, 72)); wr(_fd21, (double)(get<double>(p_ + 0))); }
  { wr(_fd22, (double)(fma_<double, 0>(rd<double>(_fd21), rd<double>(_fd20), rd<double>(_fd19)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-256), 8, 0, 74)); wr(_fd23, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-256), 8, 0, 75)); wr(_fd24, (double)(get<double>(p_ + 0))); }
  { wr(_fd25, (double)(fma_<double, 0>(rd<double>(_fd24), rd<double>(_fd23), rd<double>(_fd22)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (-128), 8, 0, 77)); wr(_fd26, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (-128), 8, 0, 78)); wr(_fd27, (double)(get<double>(p_ + 0))); }
  { wr(_fd28, (double)(fma_<double, 0>(rd<double>(_fd27), rd<double>(_fd26), rd<double>(_fd25)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40), 8, 0, 80)); wr(_fd29, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39), 8, 0, 81)); wr(_fd30, (double)(get<double>(p_ + 0))); }
  { wr(_fd31, (double)(fma_<double, 0>(rd<double>(_fd30), rd<double>(_fd29), rd<double>(_fd28)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (128), 8, 0, 83)); wr(_fd32, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (128), 8, 0, 84)); wr(_fd33, (double)(get<double>(p_ + 0))); }
  { wr(_fd34, (double)(fma_<double, 0>(rd<double>(_fd33), rd<double>(_fd32), rd<double>(_fd31)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (256), 8, 0, 86)); wr(_fd35, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (256), 8, 0, 87)); wr(_fd36, (double)(get<double>(p_ + 0))); }
  { wr(_fd37, (double)(fma_<double, 0>(rd<double>(_fd36), rd<double>(_fd35), rd<double>(_fd34)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (384), 8, 0, 89)); wr(_fd38, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (384), 8, 0, 90)); wr(_fd39, (double)(get<double>(p_ + 0))); }
  { wr(_fd40, (double)(fma_<double, 0>(rd<double>(_fd39), rd<double>(_fd38), rd<double>(_fd37)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (512), 8, 0, 92)); wr(_fd41, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (512), 8, 0, 93)); wr(_fd42, (double)(get<double>(p_ + 0))); }
  { wr(_fd43, (double)(fma_<double, 0>(rd<double>(_fd42), rd<double>(_fd41), rd<double>(_fd40)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd40) + (640), 8, 0, 95)); wr(_fd44, (double)(get<double>(p_ + 0))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd39) + (640), 8, 0, 96)); wr(_fd45, (double)(get<double>(p_ + 0))); }
  { wr(_fd2, (double)(fma_<double, 0>(rd<double>(_fd45), rd<double>(_fd44), rd<double>(_fd43)))); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd38), (int64_t)0xfffffffffffffff0ull))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd38) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p2)) { goto _L__BB8_5; }
  { goto _L__BB8_4; }
  _L__BB8_5:;
  { wr(_rd33, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd37), (uint64_t)0x1ffffffffffffff0ull))); }
  { wr(_rd34, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd33), rd<uint64_t>(_rd9)))); }
  { wr(_rd35, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd34), (uint32_t)0x3ull))); }
  { wr(_rd36, (int64_t)(add_<int64_t>(rd<int64_t>(_rd6), rd<int64_t>(_rd35)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd36), 8, 1, 108)); put<double>(p_ + 0, rd<double>(_fd2)); }
  { wr(_rd37, (int64_t)(add_<int64_t>(rd<int64_t>(_rd37), rd<int64_t>(_rd3)))); }
  { wr(_p3, (bool)((uint64_t)rd<uint64_t>(_rd37) < (uint64_t)(uint64_t)0x100ull)); }
  if (rd<bool>(_p3)) { goto _L__BB8_2; }
  _L__BB8_6:;
  { return; }
}

static const unsigned o_function_value_and_grad_0[] = {0, 8, 0}, s_function_value_and_grad_0[] = {8, 8, 0};
static const unsigned o_function_value_and_grad_1[] = {0, 0}, s_function_value_and_grad_1[] = {8, 0};
static const unsigned o_function_value_and_grad_2[] = {0, 0}, s_function_value_and_grad_2[] = {8, 0};
static const unsigned o_function_value_and_grad_3[] = {0, 8, 16, 24, 0}, s_function_value_and_grad_3[] = {8, 8, 8, 8, 0};
static const unsigned o_function_value_and_grad_4[] = {0, 8, 0}, s_function_value_and_grad_4[] = {8, 8, 0};
static const unsigned o_function_value_and_grad_5[] = {0, 8, 0}, s_function_value_and_grad_5[] = {8, 8, 0};
static const unsigned o_function_value_and_grad_6[] = {0, 0}, s_function_value_and_grad_6[] = {8, 0};
static const unsigned o_function_value_and_grad_7[] = {0, 8, 16, 24, 0}, s_function_value_and_grad_7[] = {8, 8, 8, 8, 0};
static const unsigned o_function_value_and_grad_8[] = {0, 8, 16, 0}, s_function_value_and_grad_8[] = {8, 8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"function_value_and_grad_0", k_function_value_and_grad_0, 2, o_function_value_and_grad_0, s_function_value_and_grad_0, 16, 0, 1024},
  {"function_value_and_grad_1", k_function_value_and_grad_1, 1, o_function_value_and_grad_1, s_function_value_and_grad_1, 8, 0, 1024},
  {"function_value_and_grad_2", k_function_value_and_grad_2, 1, o_function_value_and_grad_2, s_function_value_and_grad_2, 8, 0, 1024},
  {"function_value_and_grad_3", k_function_value_and_grad_3, 4, o_function_value_and_grad_3, s_function_value_and_grad_3, 32, 0, 1024},
  {"function_value_and_grad_4", k_function_value_and_grad_4, 2, o_function_value_and_grad_4, s_function_value_and_grad_4, 16, 0, 1024},
  {"function_value_and_grad_5", k_function_value_and_grad_5, 2, o_function_value_and_grad_5, s_function_value_and_grad_5, 16, 0, 1024},
  {"function_value_and_grad_6", k_function_value_and_grad_6, 1, o_function_value_and_grad_6, s_function_value_and_grad_6, 8, 0, 1024},
  {"function_value_and_grad_7", k_function_value_and_grad_7, 4, o_function_value_and_grad_7, s_function_value_and_grad_7, 32, 0, 1024},
  {"function_value_and_grad_8", k_function_value_and_grad_8, 3, o_function_value_and_grad_8, s_function_value_and_grad_8, 24, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
