#include "cuda_cpu.h"

static void k_kernel_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6, _p7, _p8, _p9, _p10;
  uint32_t _r0, _r1, _r2, _r3, _r4, _r5, _r6, _r7;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48, _fd49, _fd50, _fd51, _fd52, _fd53, _fd54, _fd55, _fd56, _fd57, _fd58, _fd59, _fd60, _fd61, _fd62, _fd63, _fd64, _fd65, _fd66, _fd67, _fd68, _fd69, _fd70, _fd71, _fd72, _fd73, _fd74, _fd75, _fd76, _fd77, _fd78, _fd79, _fd80, _fd81, _fd82, _fd83, _fd84, _fd85, _fd86, _fd87, _fd88, _fd89, _fd90, _fd91, _fd92;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40, _rd41, _rd42, _rd43, _rd44, _rd45, _rd46, _rd47, _rd48, _rd49, _rd50, _rd51, _rd52, _rd53, _rd54, _rd55, _rd56, _rd57, _rd58, _rd59, _rd60;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd16, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd17, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd17))); }
  { wr(_rd2, (uint64_t)(rd<uint64_t>(_rd16))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r1)))); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd4, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd18, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd5, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd60, (int64_t)(add_<int64_t>(rd<int64_t>(_rd18), rd<int64_t>(_rd5)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd60) > (uint64_t)(uint64_t)0xffull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_8; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd19, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd7, (int64_t)((uint64_t)rd<int64_t>(_rd19) * (uint64_t)rd<int64_t>(_rd4))); }
  { wr(_rd20, (int64_t)(add_<int64_t>(rd<int64_t>(_rd7), (int64_t)0xffull))); }
  { wr(_rd21, (int64_t)(add_<int64_t>(rd<int64_t>(_rd19), rd<int64_t>(_rd3)))); }
  { wr(_rd22, (int64_t)((uint64_t)rd<int64_t>(_rd21) * (uint64_t)rd<int64_t>(_rd4))); }
  { wr(_rd23, (int64_t)(add_<int64_t>(rd<int64_t>(_rd22), rd<int64_t>(_rd5)))); }
  { wr(_rd8, (int64_t)(sub_<int64_t>(rd<int64_t>(_rd20), rd<int64_t>(_rd23)))); }
  { wr(_rd24, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd8), rd<uint64_t>(_rd7)))); }
  { wr(_rd25, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd24), (uint64_t)0xffffffff00000000ull))); }
  { wr(_p2, (bool)((int64_t)rd<int64_t>(_rd25) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p2)) { goto _L__BB0_3; }
  { wr(_rd58, (uint64_t)(div_<uint64_t>(rd<uint64_t>(_rd8), rd<uint64_t>(_rd7)))); }
  { goto _L__BB0_4; }
  _L__BB0_3:;
  { wr(_r5, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd7)))); }
  { wr(_r6, (uint32_t)(convert<uint32_t, uint64_t, -1, 0>(rd<uint64_t>(_rd8)))); }
  { wr(_r7, (uint32_t)(div_<uint32_t>(rd<uint32_t>(_r6), rd<uint32_t>(_r5)))); }
  { wr(_rd58, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r7)))); }
  _L__BB0_4:;
  { wr(_rd26, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd58), (uint64_t)0x1ull))); }
  { wr(_p3, (bool)((uint64_t)rd<uint64_t>(_rd26) == (uint64_t)(uint64_t)0x1ull)); }
  { wr(_p4, (bool)((bool)0)); }
  { wr(_p5, (bool)(rd<bool>(_p3) ^ rd<bool>(_p4))); }
  if (rd<bool>(_p5)) { goto _L__BB0_6; }
  { wr(_rd27, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd60), (uint32_t)0x3ull))); }
  { wr(_rd28, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd27)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd28), 8, 0, 54)); wr(_fd1, (double)(get<double>(p_ + 0))); }
  { wr(_fd2, (double)(abs_<double>(rd<double>(_fd1)))); }
  { wr(_fd3, (double)(add_<double, 0>(rd<double>(_fd2), rd<double>(_fd2)))); }
  { wr(_p6, (bool)((double)rd<double>(_fd3) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd4, (double)(rd<bool>(_p6) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd3))); }
  { wr(_fd5, (double)(fma_<double, 0>(rd<double>(_fd4), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd6, (double)(add_<double, 0>(rd<double>(_fd5), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd7, (double)(fma_<double, 0>(rd<double>(_fd6), bits<double>(0xBFE62E42FEFA3800ull), rd<double>(_fd4)))); }
  { wr(_fd8, (double)(mul_<double, 0>(rd<double>(_fd6), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd9, (double)(sub_<double, 0>(rd<double>(_fd7), rd<double>(_fd8)))); }
  { wr(_fd10, (double)(sub_<double, 0>(rd<double>(_fd7), rd<double>(_fd9)))); }
  { wr(_fd11, (double)(sub_<double, 0>(rd<double>(_fd10), rd<double>(_fd8)))); }
  { wr(_fd12, (double)(add_<double, 0>(rd<double>(_fd6), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd29, (uint64_t)(rd<uint64_t>(_fd12))); }
  { wr(_rd30, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd29), (uint32_t)0x34ull))); }
  { wr(_rd31, (int64_t)(add_<int64_t>(rd<int64_t>(_rd30), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd13, (uint64_t)(rd<uint64_t>(_rd31))); }
  { wr(_fd14, (double)(mul_<double, 0>(rd<double>(_fd9), rd<double>(_fd9)))); }
  { wr(_fd15, (double)(mul_<double, 0>(rd<double>(_fd14), rd<double>(_fd14)))); }
  { wr(_fd16, (double)(fma_<double, 0>(rd<double>(_fd9), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd17, (double)(fma_<double, 0>(rd<double>(_fd9), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd18, (double)(fma_<double, 0>(rd<double>(_fd9), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd19, (double)(fma_<double, 0>(rd<double>(_fd9), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd20, (double)(fma_<double, 0>(rd<double>(_fd9), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd21, (double)(fma_<double, 0>(rd<double>(_fd14), rd<double>(_fd17), rd<double>(_fd16)))); }
  { wr(_fd22, (double)(fma_<double, 0>(rd<double>(_fd14), rd<double>(_fd19), rd<double>(_fd18)))); }
  { wr(_fd23, (double)(fma_<double, 0>(rd<double>(_fd20), rd<double>(_fd15), rd<double>(_fd22)))); }
  { wr(_fd24, (double)(fma_<double, 0>(rd<double>(_fd15), rd<double>(_fd23), rd<double>(_fd21)))); }
  { wr(_fd25, (double)(fma_<double, 0>(rd<double>(_fd14), rd<double>(_fd24), rd<double>(_fd11)))); }
  { wr(_fd26, (double)(add_<double, 0>(rd<double>(_fd9), rd<double>(_fd25)))); }
  { wr(_fd27, (double)(add_<double, 0>(rd<double>(_fd13), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd28, (double)(fma_<double, 0>(rd<double>(_fd26), rd<double>(_fd13), rd<double>(_fd27)))); }
  { wr(_fd29, (double)(add_<double, 0>(rd<double>(_fd28), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd30, (double)(div_<double>(rd<double>(_fd28), rd<double>(_fd29)))); }
  { wr(_rd32, (uint64_t)(rd<uint64_t>(_fd30))); }
  { wr(_rd33, (uint64_t)(rd<uint64_t>(_fd1))); }
  { wr(_rd34, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd33), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd35, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd34), rd<uint64_t>(_rd32)))); }
  { wr(_rd36, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd27)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd36), 8, 1, 93)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd35)); }
  { wr(_rd60, (int64_t)(add_<int64_t>(rd<int64_t>(_rd60), rd<int64_t>(_rd7)))); }
  _L__BB0_6:;
  { wr(_p7, (bool)((uint64_t)rd<uint64_t>(_rd7) > (uint64_t)rd<uint64_t>(_rd8))); }
  if (rd<bool>(_p7)) { goto _L__BB0_8; }
  _L__BB0_7:;
  { wr(_rd37, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd60), (uint32_t)0x3ull))); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd37)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd38), 8, 0, 103)); wr(_fd31, (double)(get<double>(p_ + 0))); }
  { wr(_fd32, (double)(abs_<double>(rd<double>(_fd31)))); }
  { wr(_fd33, (double)(add_<double, 0>(rd<double>(_fd32), rd<double>(_fd32)))); }
  { wr(_p8, (bool)((double)rd<double>(_fd33) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd34, (double)(rd<bool>(_p8) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd33))); }
  { wr(_fd35, (double)(fma_<double, 0>(rd<double>(_fd34), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd36, (double)(add_<double, 0>(rd<double>(_fd35), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd37, (double)(mul_<double, 0>(rd<double>(_fd36), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd38, (double)(sub_<double, 0>(rd<double>(_fd34), rd<double>(_fd37)))); }
  { wr(_fd39, (double)(mul_<double, 0>(rd<double>(_fd36), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd40, (double)(sub_<double, 0>(rd<double>(_fd38), rd<double>(_fd39)))); }
  { wr(_fd41, (double)(sub_<double, 0>(rd<double>(_fd38), rd<double>(_fd40)))); }
  { wr(_fd42, (double)(sub_<double, 0>(rd<double>(_fd41), rd<double>(_fd39)))); }
  { wr(_fd43, (double)(add_<double, 0>(rd<double>(_fd36), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd39, (uint64_t)(rd<uint64_t>(_fd43))); }
  { wr(_rd40, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd39), (uint32_t)0x34ull))); }
  { wr(_rd41, (int64_t)(add_<int64_t>(rd<int64_t>(_rd40), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd44, (uint64_t)(rd<uint64_t>(_rd41))); }
  { wr(_fd45, (double)(mul_<double, 0>(rd<double>(_fd40), rd<double>(_fd40)))); }
  { wr(_fd46, (double)(mul_<double, 0>(rd<double>(_fd45), rd<double>(_fd45)))); }
  { wr(_fd47, (double)(fma_<double, 0>(rd<double>(_fd40), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd48, (double)(fma_<double, 0>(rd<double>(_fd40), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd49, (double)(fma_<double, 0>(rd<double>(_fd40), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd50, (double)(fma_<double, 0>(rd<double>(_fd40), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd51, (double)(fma_<double, 0>(rd<double>(_fd40), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd52, (double)(fma_<double, 0>(rd<double>(_fd45), rd<double>(_fd48), rd<double>(_fd47)))); }
  { wr(_fd53, (double)(fma_<double, 0>(rd<double>(_fd45), rd<double>(_fd50), rd<double>(_fd49)))); }
  { wr(_fd54, (double)(fma_<double, 0>(rd<double>(_fd51), rd<double>(_fd46), rd<double>(_fd53)))); }
  { wr(_fd55, (double)(fma_<double, 0>(rd<double>(_fd46), rd<double>(_fd54), rd<double>(_fd52)))); }
  { wr(_fd56, (double)(fma_<double, 0>(rd<double>(_fd45), rd<double>(_fd55), rd<double>(_fd42)))); }
  { wr(_fd57, (double)(add_<double, 0>(rd<double>(_fd40), rd<double>(_fd56)))); }
  { wr(_fd58, (double)(add_<double, 0>(rd<double>(_fd44), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd59, (double)(fma_<double, 0>(rd<double>(_fd57), rd<double>(_fd44), rd<double>(_fd58)))); }
  { wr(_fd60, (double)(add_<double, 0>(rd<double>(_fd59), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd61, (double)(div_<double>(rd<double>(_fd59), rd<double>(_fd60)))); }
  { wr(_rd42, (uint64_t)(rd<uint64_t>(_fd61))); }
  { wr(_rd43, (uint64_t)(rd<uint64_t>(_fd31))); }
  { wr(_rd44, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd43), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd45, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd44), rd<uint64_t>(_rd42)))); }
  { wr(_rd46, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd37)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd46), 8, 1, 143)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd45)); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd60), rd<int64_t>(_rd7)))); }
  { wr(_rd48, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd47), (uint32_t)0x3ull))); }
  { wr(_rd49, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd48)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd49), 8, 0, 147)); wr(_fd62, (double)(get<double>(p_ + 0))); }
  { wr(_fd63, (double)(abs_<double>(rd<double>(_fd62)))); }
  { wr(_fd64, (double)(add_<double, 0>(rd<double>(_fd63), rd<double>(_fd63)))); }
  { wr(_p9, (bool)((double)rd<double>(_fd64) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd65, (double)(rd<bool>(_p9) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd64))); }
  { wr(_fd66, (double)(fma_<double, 0>(rd<double>(_fd65), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd67, (double)(add_<double, 0>(rd<double>(_fd66), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd68, (double)(mul_<double, 0>(rd<double>(_fd67), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd69, (double)(sub_<double, 0>(rd<double>(_fd65), rd<double>(_fd68)))); }
  { wr(_fd70, (double)(mul_<double, 0>(rd<double>(_fd67), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd71, (double)(sub_<double, 0>(rd<double>(_fd69), rd<double>(_fd70)))); }
  { wr(_fd72, (double)(sub_<double, 0>(rd<double>(_fd69), rd<double>(_fd71)))); }
  { wr(_fd73, (double)(sub_<double, 0>(rd<double>(_fd72), rd<double>(_fd70)))); }
  { wr(_fd74, (double)(add_<double, 0>(rd<double>(_fd67), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd50, (uint64_t)(rd<uint64_t>(_fd74))); }
  { wr(_rd51, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd50), (uint32_t)0x34ull))); }
  { wr(_rd52, (int64_t)(add_<int64_t>(rd<int64_t>(_rd51), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd75, (uint64_t)(rd<uint64_t>(_rd52))); }
  { wr(_fd76, (double)(mul_<double, 0>(rd<double>(_fd71), rd<double>(_fd71)))); }
  { wr(_fd77, (double)(mul_<double, 0>(rd<double>(_fd76), rd<double>(_fd76)))); }
  { wr(_fd78, (double)(fma_<double, 0>(rd<double>(_fd71), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd79, (double)(fma_<double, 0>(rd<double>(_fd71), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd80, (double)(fma_<double, 0>(rd<double>(_fd71), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd81, (double)(fma_<double, 0>(rd<double>(_fd71), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd82, (double)(fma_<double, 0>(rd<double>(_fd71), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd83, (double)(fma_<double, 0>(rd<double>(_fd76), rd<double>(_fd79), rd<double>(_fd78)))); }
  { wr(_fd84, (double)(fma_<double, 0>(rd<double>(_fd76), rd<double>(_fd81), rd<double>(_fd80)))); }
  { wr(_fd85, (double)(fma_<double, 0>(rd<double>(_fd82), rd<double>(_fd77), rd<double>(_fd84)))); }
  { wr(_fd86, (double)(fma_<double, 0>(rd<double>(_fd77), rd<double>(_fd85), rd<double>(_fd83)))); }
  { wr(_fd87, (double)(fma_<double, 0>(rd<double>(_fd76), rd<double>(_fd86), rd<double>(_fd73)))); }
  { wr(_fd88, (double)(add_<double, 0>(rd<double>(_fd71), rd<double>(_fd87)))); }
  { wr(_fd89, (double)(add_<double, 0>(rd<double>(_fd75), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd90, (double)(fma_<double, 0>(rd<double>(_fd88), rd<double>(_fd75), rd<double>(_fd89)))); }
  { wr(_fd91, (double)(add_<double, 0>(rd<double>(_fd90), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd92, (double)(div_<double>(rd<double>(_fd90), rd<double>(_fd91)))); }
  { wr(_rd53, (uint64_t)(rd<uint64_t>(_fd92))); }
  { wr(_rd54, (uint64_t)(rd<uint64_t>(_fd62))); }
  { wr(_rd55, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd54), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd56, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd55), rd<uint64_t>(_rd53)))); }
  { wr(_rd57, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd48)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd57), 8, 1, 187)); put<uint64_t>(p_ + 0, rd<uint64_t>(_rd56)); }
  { wr(_rd60, (int64_t)(add_<int64_t>(rd<int64_t>(_rd47), rd<int64_t>(_rd7)))); }
  { wr(_p10, (bool)((uint64_t)rd<uint64_t>(_rd60) < (uint64_t)(uint64_t)0x100ull)); }
  if (rd<bool>(_p10)) { goto _L__BB0_7; }
  _L__BB0_8:;
  { return; }
}

static const unsigned o_kernel_0[] = {0, 8, 0}, s_kernel_0[] = {8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"kernel_0", k_kernel_0, 2, o_kernel_0, s_kernel_0, 16, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
