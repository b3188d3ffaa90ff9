#include "cuda_cpu.h"

static void k_kernel_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6, _p7, _p8, _p9, _p10, _p11, _p12, _p13, _p14, _p15, _p16, _p17, _p18, _p19;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48, _fd49, _fd50, _fd51, _fd52, _fd53, _fd54, _fd55, _fd56, _fd57, _fd58, _fd59, _fd60, _fd61, _fd62, _fd63, _fd64, _fd65, _fd66, _fd67, _fd68, _fd69, _fd70, _fd71, _fd72, _fd73, _fd74, _fd75, _fd76, _fd77, _fd78, _fd79, _fd80, _fd81, _fd82, _fd83, _fd84, _fd85, _fd86, _fd87, _fd88, _fd89, _fd90, _fd91, _fd92, _fd93, _fd94, _fd95, _fd96, _fd97, _fd98, _fd99, _fd100, _fd101, _fd102, _fd103, _fd104, _fd105, _fd106, _fd107, _fd108, _fd109, _fd110, _fd111, _fd112, _fd113, _fd114, _fd115, _fd116, _fd117, _fd118, _fd119, _fd120, _fd121, _fd122, _fd123, _fd124, _fd125, _fd126, _fd127, _fd128, _fd129, _fd130, _fd131, _fd132, _fd133, _fd134, _fd135, _fd136, _fd137, _fd138, _fd139, _fd140, _fd141, _fd142, _fd143, _fd144, _fd145, _fd146, _fd147, _fd148, _fd149, _fd150, _fd151, _fd152, _fd153, _fd154, _fd155, _fd156, _fd157, _fd158, _fd159, _fd160, _fd161, _fd162, _fd163, _fd164, _fd165, _fd166, _fd167, _fd168, _fd169, _fd170, _fd171, _fd172, _fd173, _fd174, _fd175, _fd176, _fd177, _fd178, _fd179, _fd180, _fd181, _fd182, _fd183, _fd184, _fd185, _fd186, _fd187, _fd188, _fd189, _fd190, _fd191, _fd192, _fd193, _fd194, _fd195, _fd196, _fd197, _fd198, _fd199, _fd200, _fd201, _fd202, _fd203, _fd204, _fd205, _fd206, _fd207, _fd208, _fd209, _fd210, _fd211, _fd212, _fd213, _fd214, _fd215, _fd216, _fd217, _fd218, _fd219, _fd220, _fd221, _fd222, _fd223, _fd224, _fd225, _fd226, _fd227, _fd228, _fd229, _fd230, _fd231, _fd232, _fd233, _fd234, _fd235, _fd236, _fd237, _fd238, _fd239, _fd240, _fd241, _fd242, _fd243, _fd244, _fd245, _fd246, _fd247, _fd248, _fd249, _fd250, _fd251, _fd252, _fd253, _fd254, _fd255, _fd256, _fd257, _fd258, _fd259, _fd260, _fd261, _fd262, _fd263, _fd264, _fd265, _fd266, _fd267, _fd268, _fd269, _fd270, _fd271, _fd272, _fd273, _fd274, _fd275, _fd276, _fd277, _fd278, _fd279, _fd280, _fd281, _fd282, _fd283, _fd284, _fd285, _fd286, _fd287, _fd288, _fd289, _fd290, _fd291, _fd292, _fd293, _fd294, _fd295, _fd296, _fd297, _fd298, _fd299, _fd300, _fd301, _fd302, _fd303, _fd304, _fd305, _fd306, _fd307, _fd308, _fd309, _fd310, _fd311, _fd312, _fd313, _fd314, _fd315, _fd316, _fd317, _fd318, _fd319, _fd320, _fd321, _fd322, _fd323, _fd324, _fd325, _fd326, _fd327, _fd328, _fd329, _fd330, _fd331, _fd332, _fd333, _fd334, _fd335, _fd336, _fd337, _fd338, _fd339, _fd340, _fd341, _fd342, _fd343, _fd344, _fd345, _fd346, _fd347, _fd348, _fd349, _fd350, _fd351, _fd352, _fd353, _fd354, _fd355, _fd356, _fd357, _fd358, _fd359, _fd360, _fd361, _fd362, _fd363, _fd364, _fd365, _fd366, _fd367, _fd368, _fd369, _fd370, _fd371, _fd372, _fd373, _fd374, _fd375, _fd376, _fd377, _fd378, _fd379, _fd380, _fd381, _fd382, _fd383, _fd384, _fd385, _fd386, _fd387, _fd388, _fd389, _fd390, _fd391, _fd392, _fd393, _fd394, _fd395, _fd396, _fd397, _fd398, _fd399, _fd400, _fd401, _fd402, _fd403, _fd404, _fd405, _fd406, _fd407, _fd408, _fd409, _fd410, _fd411, _fd412, _fd413, _fd414, _fd415, _fd416, _fd417, _fd418, _fd419, _fd420, _fd421, _fd422, _fd423, _fd424, _fd425, _fd426, _fd427, _fd428, _fd429, _fd430, _fd431, _fd432, _fd433, _fd434, _fd435, _fd436, _fd437, _fd438, _fd439, _fd440, _fd441, _fd442, _fd443, _fd444, _fd445, _fd446, _fd447, _fd448, _fd449, _fd450, _fd451, _fd452, _fd453, _fd454, _fd455, _fd456, _fd457, _fd458, _fd459, _fd460, _fd461, _fd462, _fd463, _fd464, _fd465, _fd466, _fd467, _fd468, _fd469, _fd470, _fd471, _fd472, _fd473, _fd474, _fd475, _fd476, _fd477, _fd478, _fd479, _fd480, _fd481, _fd482, _fd483, _fd484, _fd485, _fd486, _fd487, _fd488, _fd489, _fd490, _fd491, _fd492, _fd493, _fd494, _fd495, _fd496, _fd497, _fd498, _fd499, _fd500, _fd501, _fd502, _fd503, _fd504, _fd505, _fd506, _fd507, _fd508, _fd509, _fd510, _fd511, _fd512, _fd513, _fd514, _fd515, _fd516, _fd517, _fd518, _fd519, _fd520, _fd521, _fd522, _fd523, _fd524, _fd525, _fd526, _fd527, _fd528, _fd529, _fd530, _fd531;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40, _rd41, _rd42, _rd43, _rd44, _rd45, _rd46, _rd47, _rd48, _rd49, _rd50, _rd51, _rd52, _rd53, _rd54, _rd55, _rd56, _rd57, _rd58, _rd59, _rd60, _rd61, _rd62, _rd63, _rd64, _rd65, _rd66, _rd67, _rd68, _rd69, _rd70, _rd71, _rd72, _rd73, _rd74, _rd75, _rd76, _rd77, _rd78, _rd79, _rd80, _rd81, _rd82, _rd83, _rd84, _rd85, _rd86, _rd87, _rd88, _rd89, _rd90, _rd91, _rd92, _rd93, _rd94, _rd95, _rd96, _rd97, _rd98, _rd99, _rd100, _rd101, _rd102, _rd103, _rd104, _rd105, _rd106, _rd107, _rd108, _rd109, _rd110, _rd111, _rd112, _rd113, _rd114, _rd115, _rd116, _rd117, _rd118, _rd119, _rd120, _rd121, _rd122, _rd123, _rd124, _rd125, _rd126, _rd127, _rd128, _rd129, _rd130, _rd131, _rd132, _rd133, _rd134, _rd135, _rd136, _rd137, _rd138;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd14, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd15, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd1, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd16, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd17, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd136, (int64_t)(add_<int64_t>(rd<int64_t>(_rd16), rd<int64_t>(_rd17)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd136) > (uint64_t)(uint64_t)0x13ull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_6; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd18, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd3, (int64_t)((uint64_t)rd<int64_t>(_rd18) * (uint64_t)rd<int64_t>(_rd1))); }
  { wr(_rd19, (uint64_t)(rd<uint64_t>(_rd14))); }
  { wr(_rd4, (int64_t)(add_<int64_t>(rd<int64_t>(_rd19), (int64_t)0x40ull))); }
  { wr(_rd5, (uint64_t)(rd<uint64_t>(_rd15))); }
  _L__BB0_2:;
  { wr(_rd21, (int64_t)((uint64_t)rd<int64_t>(_rd136) * (uint64_t)(int64_t)0xf0ull)); }
  { wr(_rd138, (int64_t)(add_<int64_t>(rd<int64_t>(_rd4), rd<int64_t>(_rd21)))); }
  { wr(_fd531, (double)(bits<double>(0x0000000000000000ull))); }
  { wr(_rd137, (uint64_t)((uint64_t)0x20ull)); }
  { goto _L__BB0_3; }
  _L__BB0_4:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (112), 8, 0, 35)); wr(_fd466, (double)(get<double>(p_ + 0))); }
  { wr(_fd467, (double)(abs_<double>(rd<double>(_fd466)))); }
  { wr(_fd468, (double)(add_<double, 0>(rd<double>(_fd467), rd<double>(_fd467)))); }
  { wr(_p17, (bool)((double)rd<double>(_fd468) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd469, (double)(rd<bool>(_p17) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd468))); }
  { wr(_fd470, (double)(fma_<double, 0>(rd<double>(_fd469), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd471, (double)(add_<double, 0>(rd<double>(_fd470), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd472, (double)(mul_<double, 0>(rd<double>(_fd471), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd473, (double)(sub_<double, 0>(rd<double>(_fd469), rd<double>(_fd472)))); }
  { wr(_fd474, (double)(mul_<double, 0>(rd<double>(_fd471), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd475, (double)(sub_<double, 0>(rd<double>(_fd473), rd<double>(_fd474)))); }
  { wr(_fd476, (double)(sub_<double, 0>(rd<double>(_fd473), rd<double>(_fd475)))); }
  { wr(_fd477, (double)(sub_<double, 0>(rd<double>(_fd476), rd<double>(_fd474)))); }
  { wr(_fd478, (double)(add_<double, 0>(rd<double>(_fd471), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd120, (uint64_t)(rd<uint64_t>(_fd478))); }
  { wr(_rd121, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd120), (uint32_t)0x34ull))); }
  { wr(_rd122, (int64_t)(add_<int64_t>(rd<int64_t>(_rd121), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd479, (uint64_t)(rd<uint64_t>(_rd122))); }
  { wr(_fd480, (double)(mul_<double, 0>(rd<double>(_fd475), rd<double>(_fd475)))); }
  { wr(_fd481, (double)(mul_<double, 0>(rd<double>(_fd480), rd<double>(_fd480)))); }
  { wr(_fd482, (double)(fma_<double, 0>(rd<double>(_fd475), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd483, (double)(fma_<double, 0>(rd<double>(_fd475), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd484, (double)(fma_<double, 0>(rd<double>(_fd475), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd485, (double)(fma_<double, 0>(rd<double>(_fd475), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd486, (double)(fma_<double, 0>(rd<double>(_fd475), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd487, (double)(fma_<double, 0>(rd<double>(_fd480), rd<double>(_fd483), rd<double>(_fd482)))); }
  { wr(_fd488, (double)(fma_<double, 0>(rd<double>(_fd480), rd<double>(_fd485), rd<double>(_fd484)))); }
  { wr(_fd489, (double)(fma_<double, 0>(rd<double>(_fd486), rd<double>(_fd481), rd<double>(_fd488)))); }
  { wr(_fd490, (double)(fma_<double, 0>(rd<double>(_fd481), rd<double>(_fd489), rd<double>(_fd487)))); }
  { wr(_fd491, (double)(fma_<double, 0>(rd<double>(_fd480), rd<double>(_fd490), rd<double>(_fd477)))); }
  { wr(_fd492, (double)(add_<double, 0>(rd<double>(_fd475), rd<double>(_fd491)))); }
  { wr(_fd493, (double)(add_<double, 0>(rd<double>(_fd479), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd494, (double)(fma_<double, 0>(rd<double>(_fd492), rd<double>(_fd479), rd<double>(_fd493)))); }
  { wr(_fd495, (double)(add_<double, 0>(rd<double>(_fd494), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd496, (double)(div_<double>(rd<double>(_fd494), rd<double>(_fd495)))); }
  { wr(_rd123, (uint64_t)(rd<uint64_t>(_fd496))); }
  { wr(_rd124, (uint64_t)(rd<uint64_t>(_fd466))); }
  { wr(_rd125, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd124), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd126, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd125), rd<uint64_t>(_rd123)))); }
  { wr(_fd497, (uint64_t)(rd<uint64_t>(_rd126))); }
  { wr(_fd498, (double)(add_<double, 0>(rd<double>(_fd2), rd<double>(_fd497)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd10) + (120), 8, 0, 76)); wr(_fd499, (double)(get<double>(p_ + 0))); }
  { wr(_fd500, (double)(abs_<double>(rd<double>(_fd499)))); }
  { wr(_fd501, (double)(add_<double, 0>(rd<double>(_fd500), rd<double>(_fd500)))); }
  { wr(_p18, (bool)((double)rd<double>(_fd501) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd502, (double)(rd<bool>(_p18) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd501))); }
  { wr(_fd503, (double)(fma_<double, 0>(rd<double>(_fd502), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd504, (double)(add_<double, 0>(rd<double>(_fd503), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd505, (double)(mul_<double, 0>(rd<double>(_fd504), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd506, (double)(sub_<double, 0>(rd<double>(_fd502), rd<double>(_fd505)))); }
  { wr(_fd507, (double)(mul_<double, 0>(rd<double>(_fd504), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd508, (double)(sub_<double, 0>(rd<double>(_fd506), rd<double>(_fd507)))); }
  { wr(_fd509, (double)(sub_<double, 0>(rd<double>(_fd506), rd<double>(_fd508)))); }
  { wr(_fd510, (double)(sub_<double, 0>(rd<double>(_fd509), rd<double>(_fd507)))); }
  { wr(_fd511, (double)(add_<double, 0>(rd<double>(_fd504), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd127, (uint64_t)(rd<uint64_t>(_fd511))); }
  { wr(_rd128, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd127), (uint32_t)0x34ull))); }
  { wr(_rd129, (int64_t)(add_<int64_t>(rd<int64_t>(_rd128), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd512, (uint64_t)(rd<uint64_t>(_rd129))); }
  { wr(_fd513, (double)(mul_<double, 0>(rd<double>(_fd508), rd<double>(_fd508)))); }
  { wr(_fd514, (double)(mul_<double, 0>(rd<double>(_fd513), rd<double>(_fd513)))); }
  { wr(_fd515, (double)(fma_<double, 0>(rd<double>(_fd508), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd516, (double)(fma_<double, 0>(rd<double>(_fd508), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd517, (double)(fma_<double, 0>(rd<double>(_fd508), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd518, (double)(fma_<double, 0>(rd<double>(_fd508), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd519, (double)(fma_<double, 0>(rd<double>(_fd508), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd520, (double)(fma_<double, 0>(rd<double>(_fd513), rd<double>(_fd516), rd<double>(_fd515)))); }
  { wr(_fd521, (double)(fma_<double, 0>(rd<double>(_fd513), rd<double>(_fd518), rd<double>(_fd517)))); }
  { wr(_fd522, (double)(fma_<double, 0>(rd<double>(_fd519), rd<double>(_fd514), rd<double>(_fd521)))); }
  { wr(_fd523, (double)(fma_<double, 0>(rd<double>(_fd514), rd<double>(_fd522), rd<double>(_fd520)))); }
  { wr(_fd524, (double)(fma_<double, 0>(rd<double>(_fd513), rd<double>(_fd523), rd<double>(_fd510)))); }
  { wr(_fd525, (double)(add_<double, 0>(rd<double>(_fd508), rd<double>(_fd524)))); }
  { wr(_fd526, (double)(add_<double, 0>(rd<double>(_fd512), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd527, (double)(fma_<double, 0>(rd<double>(_fd525), rd<double>(_fd512), rd<double>(_fd526)))); }
  { wr(_fd528, (double)(add_<double, 0>(rd<double>(_fd527), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd529, (double)(div_<double>(rd<double>(_fd527), rd<double>(_fd528)))); }
  { wr(_rd130, (uint64_t)(rd<uint64_t>(_fd529))); }
  { wr(_rd131, (uint64_t)(rd<uint64_t>(_fd499))); }
  { wr(_rd132, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd131), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd133, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd132), rd<uint64_t>(_rd130)))); }
  { wr(_fd530, (uint64_t)(rd<uint64_t>(_rd133))); }
  { wr(_fd531, (double)(add_<double, 0>(rd<double>(_fd498), rd<double>(_fd530)))); }
  { wr(_rd138, (int64_t)(add_<int64_t>(rd<int64_t>(_rd138), (int64_t)0x80ull))); }
  _L__BB0_3:;
  
  { wr(_rd10, (int64_t)(add_<int64_t>(rd<int64_t>(_rd138), (int64_t)0xffffffffffffffc0ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-64), 8, 0, 122)); wr(_fd5, (double)(get<double>(p_ + 0))); }
  { wr(_fd6, (double)(abs_<double>(rd<double>(_fd5)))); }
  { wr(_fd7, (double)(add_<double, 0>(rd<double>(_fd6), rd<double>(_fd6)))); }
  { wr(_p2, (bool)((double)rd<double>(_fd7) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd8, (double)(rd<bool>(_p2) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd7))); }
  { wr(_fd9, (double)(fma_<double, 0>(rd<double>(_fd8), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd10, (double)(add_<double, 0>(rd<double>(_fd9), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd11, (double)(mul_<double, 0>(rd<double>(_fd10), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd12, (double)(sub_<double, 0>(rd<double>(_fd8), rd<double>(_fd11)))); }
  { wr(_fd13, (double)(mul_<double, 0>(rd<double>(_fd10), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd14, (double)(sub_<double, 0>(rd<double>(_fd12), rd<double>(_fd13)))); }
  { wr(_fd15, (double)(sub_<double, 0>(rd<double>(_fd12), rd<double>(_fd14)))); }
  { wr(_fd16, (double)(sub_<double, 0>(rd<double>(_fd15), rd<double>(_fd13)))); }
  { wr(_fd17, (double)(add_<double, 0>(rd<double>(_fd10), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd22, (uint64_t)(rd<uint64_t>(_fd17))); }
  { wr(_rd23, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd22), (uint32_t)0x34ull))); }
  { wr(_rd24, (int64_t)(add_<int64_t>(rd<int64_t>(_rd23), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd18, (uint64_t)(rd<uint64_t>(_rd24))); }
  { wr(_fd19, (double)(mul_<double, 0>(rd<double>(_fd14), rd<double>(_fd14)))); }
  { wr(_fd20, (double)(mul_<double, 0>(rd<double>(_fd19), rd<double>(_fd19)))); }
  { wr(_fd21, (double)(fma_<double, 0>(rd<double>(_fd14), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd22, (double)(fma_<double, 0>(rd<double>(_fd14), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd23, (double)(fma_<double, 0>(rd<double>(_fd14), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd24, (double)(fma_<double, 0>(rd<double>(_fd14), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd25, (double)(fma_<double, 0>(rd<double>(_fd14), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd26, (double)(fma_<double, 0>(rd<double>(_fd19), rd<double>(_fd22), rd<double>(_fd21)))); }
  { wr(_fd27, (double)(fma_<double, 0>(rd<double>(_fd19), rd<double>(_fd24), rd<double>(_fd23)))); }
  { wr(_fd28, (double)(fma_<double, 0>(rd<double>(_fd25), rd<double>(_fd20), rd<double>(_fd27)))); }
  { wr(_fd29, (double)(fma_<double, 0>(rd<double>(_fd20), rd<double>(_fd28), rd<double>(_fd26)))); }
  { wr(_fd30, (double)(fma_<double, 0>(rd<double>(_fd19), rd<double>(_fd29), rd<double>(_fd16)))); }
  { wr(_fd31, (double)(add_<double, 0>(rd<double>(_fd14), rd<double>(_fd30)))); }
  { wr(_fd32, (double)(add_<double, 0>(rd<double>(_fd18), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd33, (double)(fma_<double, 0>(rd<double>(_fd31), rd<double>(_fd18), rd<double>(_fd32)))); }
  { wr(_fd34, (double)(add_<double, 0>(rd<double>(_fd33), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd35, (double)(div_<double>(rd<double>(_fd33), rd<double>(_fd34)))); }
  { wr(_rd25, (uint64_t)(rd<uint64_t>(_fd35))); }
  { wr(_rd26, (uint64_t)(rd<uint64_t>(_fd5))); }
  { wr(_rd27, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd26), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd28, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd27), rd<uint64_t>(_rd25)))); }
  { wr(_fd36, (uint64_t)(rd<uint64_t>(_rd28))); }
  { wr(_fd37, (double)(add_<double, 0>(rd<double>(_fd531), rd<double>(_fd36)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-56), 8, 0, 163)); wr(_fd38, (double)(get<double>(p_ + 0))); }
  { wr(_fd39, (double)(abs_<double>(rd<double>(_fd38)))); }
  { wr(_fd40, (double)(add_<double, 0>(rd<double>(_fd39), rd<double>(_fd39)))); }
  { wr(_p3, (bool)((double)rd<double>(_fd40) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd41, (double)(rd<bool>(_p3) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd40))); }
  { wr(_fd42, (double)(fma_<double, 0>(rd<double>(_fd41), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd43, (double)(add_<double, 0>(rd<double>(_fd42), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd44, (double)(mul_<double, 0>(rd<double>(_fd43), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd45, (double)(sub_<double, 0>(rd<double>(_fd41), rd<double>(_fd44)))); }
  { wr(_fd46, (double)(mul_<double, 0>(rd<double>(_fd43), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd47, (double)(sub_<double, 0>(rd<double>(_fd45), rd<double>(_fd46)))); }
  { wr(_fd48, (double)(sub_<double, 0>(rd<double>(_fd45), rd<double>(_fd47)))); }
  { wr(_fd49, (double)(sub_<double, 0>(rd<double>(_fd48), rd<double>(_fd46)))); }
  { wr(_fd50, (double)(add_<double, 0>(rd<double>(_fd43), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd29, (uint64_t)(rd<uint64_t>(_fd50))); }
  { wr(_rd30, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd29), (uint32_t)0x34ull))); }
  { wr(_rd31, (int64_t)(add_<int64_t>(rd<int64_t>(_rd30), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd51, (uint64_t)(rd<uint64_t>(_rd31))); }
  { wr(_fd52, (double)(mul_<double, 0>(rd<double>(_fd47), rd<double>(_fd47)))); }
  { wr(_fd53, (double)(mul_<double, 0>(rd<double>(_fd52), rd<double>(_fd52)))); }
  { wr(_fd54, (double)(fma_<double, 0>(rd<double>(_fd47), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd55, (double)(fma_<double, 0>(rd<double>(_fd47), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd56, (double)(fma_<double, 0>(rd<double>(_fd47), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd57, (double)(fma_<double, 0>(rd<double>(_fd47), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd58, (double)(fma_<double, 0>(rd<double>(_fd47), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd59, (double)(fma_<double, 0>(rd<double>(_fd52), rd<double>(_fd55), rd<double>(_fd54)))); }
  { wr(_fd60, (double)(fma_<double, 0>(rd<double>(_fd52), rd<double>(_fd57), rd<double>(_fd56)))); }
  { wr(_fd61, (double)(fma_<double, 0>(rd<double>(_fd58), rd<double>(_fd53), rd<double>(_fd60)))); }
  { wr(_fd62, (double)(fma_<double, 0>(rd<double>(_fd53), rd<double>(_fd61), rd<double>(_fd59)))); }
  { wr(_fd63, (double)(fma_<double, 0>(rd<double>(_fd52), rd<double>(_fd62), rd<double>(_fd49)))); }
  { wr(_fd64, (double)(add_<double, 0>(rd<double>(_fd47), rd<double>(_fd63)))); }
  { wr(_fd65, (double)(add_<double, 0>(rd<double>(_fd51), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd66, (double)(fma_<double, 0>(rd<double>(_fd64), rd<double>(_fd51), rd<double>(_fd65)))); }
  { wr(_fd67, (double)(add_<double, 0>(rd<double>(_fd66), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd68, (double)(div_<double>(rd<double>(_fd66), rd<double>(_fd67)))); }
  { wr(_rd32, (uint64_t)(rd<uint64_t>(_fd68))); }
  { wr(_rd33, (uint64_t)(rd<uint64_t>(_fd38))); }
  { wr(_rd34, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd33), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd35, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd34), rd<uint64_t>(_rd32)))); }
  { wr(_fd69, (uint64_t)(rd<uint64_t>(_rd35))); }
  { wr(_fd70, (double)(add_<double, 0>(rd<double>(_fd37), rd<double>(_fd69)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-48), 8, 0, 204)); wr(_fd71, (double)(get<double>(p_ + 0))); }
  { wr(_fd72, (double)(abs_<double>(rd<double>(_fd71)))); }
  { wr(_fd73, (double)(add_<double, 0>(rd<double>(_fd72), rd<double>(_fd72)))); }
  { wr(_p4, (bool)((double)rd<double>(_fd73) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd74, (double)(rd<bool>(_p4) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd73))); }
  { wr(_fd75, (double)(fma_<double, 0>(rd<double>(_fd74), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd76, (double)(add_<double, 0>(rd<double>(_fd75), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd77, (double)(mul_<double, 0>(rd<double>(_fd76), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd78, (double)(sub_<double, 0>(rd<double>(_fd74), rd<double>(_fd77)))); }
  { wr(_fd79, (double)(mul_<double, 0>(rd<double>(_fd76), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd80, (double)(sub_<double, 0>(rd<double>(_fd78), rd<double>(_fd79)))); }
  { wr(_fd81, (double)(sub_<double, 0>(rd<double>(_fd78), rd<double>(_fd80)))); }
  { wr(_fd82, (double)(sub_<double, 0>(rd<double>(_fd81), rd<double>(_fd79)))); }
  { wr(_fd83, (double)(add_<double, 0>(rd<double>(_fd76), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd36, (uint64_t)(rd<uint64_t>(_fd83))); }
  { wr(_rd37, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd36), (uint32_t)0x34ull))); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd37), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd84, (uint64_t)(rd<uint64_t>(_rd38))); }
  { wr(_fd85, (double)(mul_<double, 0>(rd<double>(_fd80), rd<double>(_fd80)))); }
  { wr(_fd86, (double)(mul_<double, 0>(rd<double>(_fd85), rd<double>(_fd85)))); }
  { wr(_fd87, (double)(fma_<double, 0>(rd<double>(_fd80), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd88, (double)(fma_<double, 0>(rd<double>(_fd80), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd89, (double)(fma_<double, 0>(rd<double>(_fd80), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd90, (double)(fma_<double, 0>(rd<double>(_fd80), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd91, (double)(fma_<double, 0>(rd<double>(_fd80), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd92, (double)(fma_<double, 0>(rd<double>(_fd85), rd<double>(_fd88), rd<double>(_fd87)))); }
  { wr(_fd93, (double)(fma_<double, 0>(rd<double>(_fd85), rd<double>(_fd90), rd<double>(_fd89)))); }
  { wr(_fd94, (double)(fma_<double, 0>(rd<double>(_fd91), rd<double>(_fd86), rd<double>(_fd93)))); }
  { wr(_fd95, (double)(fma_<double, 0>(rd<double>(_fd86), rd<double>(_fd94), rd<double>(_fd92)))); }
  { wr(_fd96, (double)(fma_<double, 0>(rd<double>(_fd85), rd<double>(_fd95), rd<double>(_fd82)))); }
  { wr(_fd97, (double)(add_<double, 0>(rd<double>(_fd80), rd<double>(_fd96)))); }
  { wr(_fd98, (double)(add_<double, 0>(rd<double>(_fd84), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd99, (double)(fma_<double, 0>(rd<double>(_fd97), rd<double>(_fd84), rd<double>(_fd98)))); }
  { wr(_fd100, (double)(add_<double, 0>(rd<double>(_fd99), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd101, (double)(div_<double>(rd<double>(_fd99), rd<double>(_fd100)))); }
  { wr(_rd39, (uint64_t)(rd<uint64_t>(_fd101))); }
  { wr(_rd40, (uint64_t)(rd<uint64_t>(_fd71))); }
  { wr(_rd41, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd40), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd42, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd41), rd<uint64_t>(_rd39)))); }
  { wr(_fd102, (uint64_t)(rd<uint64_t>(_rd42))); }
  { wr(_fd103, (double)(add_<double, 0>(rd<double>(_fd70), rd<double>(_fd102)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-40), 8, 0, 245)); wr(_fd104, (double)(get<double>(p_ + 0))); }
  { wr(_fd105, (double)(abs_<double>(rd<double>(_fd104)))); }
  { wr(_fd106, (double)(add_<double, 0>(rd<double>(_fd105), rd<double>(_fd105)))); }
  { wr(_p5, (bool)((double)rd<double>(_fd106) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd107, (double)(rd<bool>(_p5) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd106))); }
  { wr(_fd108, (double)(fma_<double, 0>(rd<double>(_fd107), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd109, (double)(add_<double, 0>(rd<double>(_fd108), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd110, (double)(mul_<double, 0>(rd<double>(_fd109), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd111, (double)(sub_<double, 0>(rd<double>(_fd107), rd<double>(_fd110)))); }
  { wr(_fd112, (double)(mul_<double, 0>(rd<double>(_fd109), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd113, (double)(sub_<double, 0>(rd<double>(_fd111), rd<double>(_fd112)))); }
  { wr(_fd114, (double)(sub_<double, 0>(rd<double>(_fd111), rd<double>(_fd113)))); }
  { wr(_fd115, (double)(sub_<double, 0>(rd<double>(_fd114), rd<double>(_fd112)))); }
  { wr(_fd116, (double)(add_<double, 0>(rd<double>(_fd109), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd43, (uint64_t)(rd<uint64_t>(_fd116))); }
  { wr(_rd44, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd43), (uint32_t)0x34ull))); }
  { wr(_rd45, (int64_t)(add_<int64_t>(rd<int64_t>(_rd44), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd117, (uint64_t)(rd<uint64_t>(_rd45))); }
  { wr(_fd118, (double)(mul_<double, 0>(rd<double>(_fd113), rd<double>(_fd113)))); }
  { wr(_fd119, (double)(mul_<double, 0>(rd<double>(_fd118), rd<double>(_fd118)))); }
  { wr(_fd120, (double)(fma_<double, 0>(rd<double>(_fd113), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd121, (double)(fma_<double, 0>(rd<double>(_fd113), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd122, (double)(fma_<double, 0>(rd<double>(_fd113), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd123, (double)(fma_<double, 0>(rd<double>(_fd113), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd124, (double)(fma_<double, 0>(rd<double>(_fd113), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd125, (double)(fma_<double, 0>(rd<double>(_fd118), rd<double>(_fd121), rd<double>(_fd120)))); }
  { wr(_fd126, (double)(fma_<double, 0>(rd<double>(_fd118), rd<double>(_fd123), rd<double>(_fd122)))); }
  { wr(_fd127, (double)(fma_<double, 0>(rd<double>(_fd124), rd<double>(_fd119), rd<double>(_fd126)))); }
  { wr(_fd128, (double)(fma_<double, 0>(rd<double>(_fd119), rd<double>(_fd127), rd<double>(_fd125)))); }
  { wr(_fd129, (double)(fma_<double, 0>(rd<double>(_fd118), rd<double>(_fd128), rd<double>(_fd115)))); }
  { wr(_fd130, (double)(add_<double, 0>(rd<double>(_fd113), rd<double>(_fd129)))); }
  { wr(_fd131, (double)(add_<double, 0>(rd<double>(_fd117), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd132, (double)(fma_<double, 0>(rd<double>(_fd130), rd<double>(_fd117), rd<double>(_fd131)))); }
  { wr(_fd133, (double)(add_<double, 0>(rd<double>(_fd132), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd134, (double)(div_<double>(rd<double>(_fd132), rd<double>(_fd133)))); }
  { wr(_rd46, (uint64_t)(rd<uint64_t>(_fd134))); }
  { wr(_rd47, (uint64_t)(rd<uint64_t>(_fd104))); }
  { wr(_rd48, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd47), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd49, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd48), rd<uint64_t>(_rd46)))); }
  { wr(_fd135, (uint64_t)(rd<uint64_t>(_rd49))); }
  { wr(_fd136, (double)(add_<double, 0>(rd<double>(_fd103), rd<double>(_fd135)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-32), 8, 0, 286)); wr(_fd137, (double)(get<double>(p_ + 0))); }
  { wr(_fd138, (double)(abs_<double>(rd<double>(_fd137)))); }
  { wr(_fd139, (double)(add_<double, 0>(rd<double>(_fd138), rd<double>(_fd138)))); }
  { wr(_p6, (bool)((double)rd<double>(_fd139) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd140, (double)(rd<bool>(_p6) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd139))); }
  { wr(_fd141, (double)(fma_<double, 0>(rd<double>(_fd140), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd142, (double)(add_<double, 0>(rd<double>(_fd141), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd143, (double)(mul_<double, 0>(rd<double>(_fd142), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd144, (double)(sub_<double, 0>(rd<double>(_fd140), rd<double>(_fd143)))); }
  { wr(_fd145, (double)(mul_<double, 0>(rd<double>(_fd142), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd146, (double)(sub_<double, 0>(rd<double>(_fd144), rd<double>(_fd145)))); }
  { wr(_fd147, (double)(sub_<double, 0>(rd<double>(_fd144), rd<double>(_fd146)))); }
  { wr(_fd148, (double)(sub_<double, 0>(rd<double>(_fd147), rd<double>(_fd145)))); }
  { wr(_fd149, (double)(add_<double, 0>(rd<double>(_fd142), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd50, (uint64_t)(rd<uint64_t>(_fd149))); }
  { wr(_rd51, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd50), (uint32_t)0x34ull))); }
  { wr(_rd52, (int64_t)(add_<int64_t>(rd<int64_t>(_rd51), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd150, (uint64_t)(rd<uint64_t>(_rd52))); }
  { wr(_fd151, (double)(mul_<double, 0>(rd<double>(_fd146), rd<double>(_fd146)))); }
  { wr(_fd152, (double)(mul_<double, 0>(rd<double>(_fd151), rd<double>(_fd151)))); }
  { wr(_fd153, (double)(fma_<double, 0>(rd<double>(_fd146), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd154, (double)(fma_<double, 0>(rd<double>(_fd146), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd155, (double)(fma_<double, 0>(rd<double>(_fd146), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd156, (double)(fma_<double, 0>(rd<double>(_fd146), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd157, (double)(fma_<double, 0>(rd<double>(_fd146), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd158, (double)(fma_<double, 0>(rd<double>(_fd151), rd<double>(_fd154), rd<double>(_fd153)))); }
  { wr(_fd159, (double)(fma_<double, 0>(rd<double>(_fd151), rd<double>(_fd156), rd<double>(_fd155)))); }
  { wr(_fd160, (double)(fma_<double, 0>(rd<double>(_fd157), rd<double>(_fd152), rd<double>(_fd159)))); }
  { wr(_fd161, (double)(fma_<double, 0>(rd<double>(_fd152), rd<double>(_fd160), rd<double>(_fd158)))); }
  { wr(_fd162, (double)(fma_<double, 0>(rd<double>(_fd151), rd<double>(_fd161), rd<double>(_fd148)))); }
  { wr(_fd163, (double)(add_<double, 0>(rd<double>(_fd146), rd<double>(_fd162)))); }
  { wr(_fd164, (double)(add_<double, 0>(rd<double>(_fd150), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd165, (double)(fma_<double, 0>(rd<double>(_fd163), rd<double>(_fd150), rd<double>(_fd164)))); }
  { wr(_fd166, (double)(add_<double, 0>(rd<double>(_fd165), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd167, (double)(div_<double>(rd<double>(_fd165), rd<double>(_fd166)))); }
  { wr(_rd53, (uint64_t)(rd<uint64_t>(_fd167))); }
  { wr(_rd54, (uint64_t)(rd<uint64_t>(_fd137))); }
  { wr(_rd55, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd54), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd56, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd55), rd<uint64_t>(_rd53)))); }
  { wr(_fd168, (uint64_t)(rd<uint64_t>(_rd56))); }
  { wr(_fd169, (double)(add_<double, 0>(rd<double>(_fd136), rd<double>(_fd168)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-24), 8, 0, 327)); wr(_fd170, (double)(get<double>(p_ + 0))); }
  { wr(_fd171, (double)(abs_<double>(rd<double>(_fd170)))); }
  { wr(_fd172, (double)(add_<double, 0>(rd<double>(_fd171), rd<double>(_fd171)))); }
  { wr(_p7, (bool)((double)rd<double>(_fd172) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd173, (double)(rd<bool>(_p7) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd172))); }
  { wr(_fd174, (double)(fma_<double, 0>(rd<double>(_fd173), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd175, (double)(add_<double, 0>(rd<double>(_fd174), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd176, (double)(mul_<double, 0>(rd<double>(_fd175), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd177, (double)(sub_<double, 0>(rd<double>(_fd173), rd<double>(_fd176)))); }
  { wr(_fd178, (double)(mul_<double, 0>(rd<double>(_fd175), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd179, (double)(sub_<double, 0>(rd<double>(_fd177), rd<double>(_fd178)))); }
  { wr(_fd180, (double)(sub_<double, 0>(rd<double>(_fd177), rd<double>(_fd179)))); }
  { wr(_fd181, (double)(sub_<double, 0>(rd<double>(_fd180), rd<double>(_fd178)))); }
  { wr(_fd182, (double)(add_<double, 0>(rd<double>(_fd175), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd57, (uint64_t)(rd<uint64_t>(_fd182))); }
  { wr(_rd58, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd57), (uint32_t)0x34ull))); }
  { wr(_rd59, (int64_t)(add_<int64_t>(rd<int64_t>(_rd58), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd183, (uint64_t)(rd<uint64_t>(_rd59))); }
  { wr(_fd184, (double)(mul_<double, 0>(rd<double>(_fd179), rd<double>(_fd179)))); }
  { wr(_fd185, (double)(mul_<double, 0>(rd<double>(_fd184), rd<double>(_fd184)))); }
  { wr(_fd186, (double)(fma_<double, 0>(rd<double>(_fd179), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd187, (double)(fma_<double, 0>(rd<double>(_fd179), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd188, (double)(fma_<double, 0>(rd<double>(_fd179), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd189, (double)(fma_<double, 0>(rd<double>(_fd179), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd190, (double)(fma_<double, 0>(rd<double>(_fd179), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd191, (double)(fma_<double, 0>(rd<double>(_fd184), rd<double>(_fd187), rd<double>(_fd186)))); }
  { wr(_fd192, (double)(fma_<double, 0>(rd<double>(_fd184), rd<double>(_fd189), rd<double>(_fd188)))); }
  { wr(_fd193, (double)(fma_<double, 0>(rd<double>(_fd190), rd<double>(_fd185), rd<double>(_fd192)))); }
  { wr(_fd194, (double)(fma_<double, 0>(rd<double>(_fd185), rd<double>(_fd193), rd<double>(_fd191)))); }
  { wr(_fd195, (double)(fma_<double, 0>(rd<double>(_fd184), rd<double>(_fd194), rd<double>(_fd181)))); }
  { wr(_fd196, (double)(add_<double, 0>(rd<double>(_fd179), rd<double>(_fd195)))); }
  { wr(_fd197, (double)(add_<double, 0>(rd<double>(_fd183), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd198, (double)(fma_<double, 0>(rd<double>(_fd196), rd<double>(_fd183), rd<double>(_fd197)))); }
  { wr(_fd199, (double)(add_<double, 0>(rd<double>(_fd198), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd200, (double)(div_<double>(rd<double>(_fd198), rd<double>(_fd199)))); }
  { wr(_rd60, (uint64_t)(rd<uint64_t>(_fd200))); }
  { wr(_rd61, (uint64_t)(rd<uint64_t>(_fd170))); }
  { wr(_rd62, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd61), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd63, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd62), rd<uint64_t>(_rd60)))); }
  { wr(_fd201, (uint64_t)(rd<uint64_t>(_rd63))); }
  { wr(_fd202, (double)(add_<double, 0>(rd<double>(_fd169), rd<double>(_fd201)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-16), 8, 0, 368)); wr(_fd203, (double)(get<double>(p_ + 0))); }
  { wr(_fd204, (double)(abs_<double>(rd<double>(_fd203)))); }
  { wr(_fd205, (double)(add_<double, 0>(rd<double>(_fd204), rd<double>(_fd204)))); }
  { wr(_p8, (bool)((double)rd<double>(_fd205) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd206, (double)(rd<bool>(_p8) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd205))); }
  { wr(_fd207, (double)(fma_<double, 0>(rd<double>(_fd206), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd208, (double)(add_<double, 0>(rd<double>(_fd207), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd209, (double)(mul_<double, 0>(rd<double>(_fd208), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd210, (double)(sub_<double, 0>(rd<double>(_fd206), rd<double>(_fd209)))); }
  { wr(_fd211, (double)(mul_<double, 0>(rd<double>(_fd208), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd212, (double)(sub_<double, 0>(rd<double>(_fd210), rd<double>(_fd211)))); }
  { wr(_fd213, (double)(sub_<double, 0>(rd<double>(_fd210), rd<double>(_fd212)))); }
  { wr(_fd214, (double)(sub_<double, 0>(rd<double>(_fd213), rd<double>(_fd211)))); }
  { wr(_fd215, (double)(add_<double, 0>(rd<double>(_fd208), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd64, (uint64_t)(rd<uint64_t>(_fd215))); }
  { wr(_rd65, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd64), (uint32_t)0x34ull))); }
  { wr(_rd66, (int64_t)(add_<int64_t>(rd<int64_t>(_rd65), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd216, (uint64_t)(rd<uint64_t>(_rd66))); }
  { wr(_fd217, (double)(mul_<double, 0>(rd<double>(_fd212), rd<double>(_fd212)))); }
  { wr(_fd218, (double)(mul_<double, 0>(rd<double>(_fd217), rd<double>(_fd217)))); }
  { wr(_fd219, (double)(fma_<double, 0>(rd<double>(_fd212), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd220, (double)(fma_<double, 0>(rd<double>(_fd212), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd221, (double)(fma_<double, 0>(rd<double>(_fd212), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd222, (double)(fma_<double, 0>(rd<double>(_fd212), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd223, (double)(fma_<double, 0>(rd<double>(_fd212), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd224, (double)(fma_<double, 0>(rd<double>(_fd217), rd<double>(_fd220), rd<double>(_fd219)))); }
  { wr(_fd225, (double)(fma_<double, 0>(rd<double>(_fd217), rd<double>(_fd222), rd<double>(_fd221)))); }
  { wr(_fd226, (double)(fma_<double, 0>(rd<double>(_fd223), rd<double>(_fd218), rd<double>(_fd225)))); }
  { wr(_fd227, (double)(fma_<double, 0>(rd<double>(_fd218), rd<double>(_fd226), rd<double>(_fd224)))); }
  { wr(_fd228, (double)(fma_<double, 0>(rd<double>(_fd217), rd<double>(_fd227), rd<double>(_fd214)))); }
  { wr(_fd229, (double)(add_<double, 0>(rd<double>(_fd212), rd<double>(_fd228)))); }
  { wr(_fd230, (double)(add_<double, 0>(rd<double>(_fd216), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd231, (double)(fma_<double, 0>(rd<double>(_fd229), rd<double>(_fd216), rd<double>(_fd230)))); }
  { wr(_fd232, (double)(add_<double, 0>(rd<double>(_fd231), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd233, (double)(div_<double>(rd<double>(_fd231), rd<double>(_fd232)))); }
  { wr(_rd67, (uint64_t)(rd<uint64_t>(_fd233))); }
  { wr(_rd68, (uint64_t)(rd<uint64_t>(_fd203))); }
  { wr(_rd69, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd68), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd70, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd69), rd<uint64_t>(_rd67)))); }
  { wr(_fd234, (uint64_t)(rd<uint64_t>(_rd70))); }
  { wr(_fd235, (double)(add_<double, 0>(rd<double>(_fd202), rd<double>(_fd234)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (-8), 8, 0, 409)); wr(_fd236, (double)(get<double>(p_ + 0))); }
  { wr(_fd237, (double)(abs_<double>(rd<double>(_fd236)))); }
  { wr(_fd238, (double)(add_<double, 0>(rd<double>(_fd237), rd<double>(_fd237)))); }
  { wr(_p9, (bool)((double)rd<double>(_fd238) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd239, (double)(rd<bool>(_p9) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd238))); }
  { wr(_fd240, (double)(fma_<double, 0>(rd<double>(_fd239), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd241, (double)(add_<double, 0>(rd<double>(_fd240), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd242, (double)(mul_<double, 0>(rd<double>(_fd241), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd243, (double)(sub_<double, 0>(rd<double>(_fd239), rd<double>(_fd242)))); }
  { wr(_fd244, (double)(mul_<double, 0>(rd<double>(_fd241), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd245, (double)(sub_<double, 0>(rd<double>(_fd243), rd<double>(_fd244)))); }
  { wr(_fd246, (double)(sub_<double, 0>(rd<double>(_fd243), rd<double>(_fd245)))); }
  { wr(_fd247, (double)(sub_<double, 0>(rd<double>(_fd246), rd<double>(_fd244)))); }
  { wr(_fd248, (double)(add_<double, 0>(rd<double>(_fd241), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd71, (uint64_t)(rd<uint64_t>(_fd248))); }
  { wr(_rd72, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd71), (uint32_t)0x34ull))); }
  { wr(_rd73, (int64_t)(add_<int64_t>(rd<int64_t>(_rd72), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd249, (uint64_t)(rd<uint64_t>(_rd73))); }
  { wr(_fd250, (double)(mul_<double, 0>(rd<double>(_fd245), rd<double>(_fd245)))); }
  { wr(_fd251, (double)(mul_<double, 0>(rd<double>(_fd250), rd<double>(_fd250)))); }
  { wr(_fd252, (double)(fma_<double, 0>(rd<double>(_fd245), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd253, (double)(fma_<double, 0>(rd<double>(_fd245), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd254, (double)(fma_<double, 0>(rd<double>(_fd245), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd255, (double)(fma_<double, 0>(rd<double>(_fd245), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd256, (double)(fma_<double, 0>(rd<double>(_fd245), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd257, (double)(fma_<double, 0>(rd<double>(_fd250), rd<double>(_fd253), rd<double>(_fd252)))); }
  { wr(_fd258, (double)(fma_<double, 0>(rd<double>(_fd250), rd<double>(_fd255), rd<double>(_fd254)))); }
  { wr(_fd259, (double)(fma_<double, 0>(rd<double>(_fd256), rd<double>(_fd251), rd<double>(_fd258)))); }
  { wr(_fd260, (double)(fma_<double, 0>(rd<double>(_fd251), rd<double>(_fd259), rd<double>(_fd257)))); }
  { wr(_fd261, (double)(fma_<double, 0>(rd<double>(_fd250), rd<double>(_fd260), rd<double>(_fd247)))); }
  { wr(_fd262, (double)(add_<double, 0>(rd<double>(_fd245), rd<double>(_fd261)))); }
  { wr(_fd263, (double)(add_<double, 0>(rd<double>(_fd249), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd264, (double)(fma_<double, 0>(rd<double>(_fd262), rd<double>(_fd249), rd<double>(_fd263)))); }
  { wr(_fd265, (double)(add_<double, 0>(rd<double>(_fd264), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd266, (double)(div_<double>(rd<double>(_fd264), rd<double>(_fd265)))); }
  { wr(_rd74, (uint64_t)(rd<uint64_t>(_fd266))); }
  { wr(_rd75, (uint64_t)(rd<uint64_t>(_fd236))); }
  { wr(_rd76, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd75), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd77, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd76), rd<uint64_t>(_rd74)))); }
  { wr(_fd267, (uint64_t)(rd<uint64_t>(_rd77))); }
  { wr(_fd268, (double)(add_<double, 0>(rd<double>(_fd235), rd<double>(_fd267)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138), 8, 0, 450)); wr(_fd269, (double)(get<double>(p_ + 0))); }
  { wr(_fd270, (double)(abs_<double>(rd<double>(_fd269)))); }
  { wr(_fd271, (double)(add_<double, 0>(rd<double>(_fd270), rd<double>(_fd270)))); }
  { wr(_p10, (bool)((double)rd<double>(_fd271) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd272, (double)(rd<bool>(_p10) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd271))); }
  { wr(_fd273, (double)(fma_<double, 0>(rd<double>(_fd272), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd274, (double)(add_<double, 0>(rd<double>(_fd273), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd275, (double)(mul_<double, 0>(rd<double>(_fd274), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd276, (double)(sub_<double, 0>(rd<double>(_fd272), rd<double>(_fd275)))); }
  { wr(_fd277, (double)(mul_<double, 0>(rd<double>(_fd274), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd278, (double)(sub_<double, 0>(rd<double>(_fd276), rd<double>(_fd277)))); }
  { wr(_fd279, (double)(sub_<double, 0>(rd<double>(_fd276), rd<double>(_fd278)))); }
  { wr(_fd280, (double)(sub_<double, 0>(rd<double>(_fd279), rd<double>(_fd277)))); }
  { wr(_fd281, (double)(add_<double, 0>(rd<double>(_fd274), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd78, (uint64_t)(rd<uint64_t>(_fd281))); }
  { wr(_rd79, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd78), (uint32_t)0x34ull))); }
  { wr(_rd80, (int64_t)(add_<int64_t>(rd<int64_t>(_rd79), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd282, (uint64_t)(rd<uint64_t>(_rd80))); }
  { wr(_fd283, (double)(mul_<double, 0>(rd<double>(_fd278), rd<double>(_fd278)))); }
  { wr(_fd284, (double)(mul_<double, 0>(rd<double>(_fd283), rd<double>(_fd283)))); }
  { wr(_fd285, (double)(fma_<double, 0>(rd<double>(_fd278), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd286, (double)(fma_<double, 0>(rd<double>(_fd278), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd287, (double)(fma_<double, 0>(rd<double>(_fd278), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd288, (double)(fma_<double, 0>(rd<double>(_fd278), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd289, (double)(fma_<double, 0>(rd<double>(_fd278), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd290, (double)(fma_<double, 0>(rd<double>(_fd283), rd<double>(_fd286), rd<double>(_fd285)))); }
  { wr(_fd291, (double)(fma_<double, 0>(rd<double>(_fd283), rd<double>(_fd288), rd<double>(_fd287)))); }
  { wr(_fd292, (double)(fma_<double, 0>(rd<double>(_fd289), rd<double>(_fd284), rd<double>(_fd291)))); }
  { wr(_fd293, (double)(fma_<double, 0>(rd<double>(_fd284), rd<double>(_fd292), rd<double>(_fd290)))); }
  { wr(_fd294, (double)(fma_<double, 0>(rd<double>(_fd283), rd<double>(_fd293), rd<double>(_fd280)))); }
  { wr(_fd295, (double)(add_<double, 0>(rd<double>(_fd278), rd<double>(_fd294)))); }
  { wr(_fd296, (double)(add_<double, 0>(rd<double>(_fd282), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd297, (double)(fma_<double, 0>(rd<double>(_fd295), rd<double>(_fd282), rd<double>(_fd296)))); }
  { wr(_fd298, (double)(add_<double, 0>(rd<double>(_fd297), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd299, (double)(div_<double>(rd<double>(_fd297), rd<double>(_fd298)))); }
  { wr(_rd81, (uint64_t)(rd<uint64_t>(_fd299))); }
  { wr(_rd82, (uint64_t)(rd<uint64_t>(_fd269))); }
  { wr(_rd83, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd82), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd84, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd83), rd<uint64_t>(_rd81)))); }
  { wr(_fd300, (uint64_t)(rd<uint64_t>(_rd84))); }
  { wr(_fd301, (double)(add_<double, 0>(rd<double>(_fd268), rd<double>(_fd300)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (8), 8, 0, 491)); wr(_fd302, (double)(get<double>(p_ + 0))); }
  { wr(_fd303, (double)(abs_<double>(rd<double>(_fd302)))); }
  { wr(_fd304, (double)(add_<double, 0>(rd<double>(_fd303), rd<double>(_fd303)))); }
  { wr(_p11, (bool)((double)rd<double>(_fd304) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd305, (double)(rd<bool>(_p11) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd304))); }
  { wr(_fd306, (double)(fma_<double, 0>(rd<double>(_fd305), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd307, (double)(add_<double, 0>(rd<double>(_fd306), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd308, (double)(mul_<double, 0>(rd<double>(_fd307), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd309, (double)(sub_<double, 0>(rd<double>(_fd305), rd<double>(_fd308)))); }
  { wr(_fd310, (double)(mul_<double, 0>(rd<double>(_fd307), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd311, (double)(sub_<double, 0>(rd<double>(_fd309), rd<double>(_fd310)))); }
  { wr(_fd312, (double)(sub_<double, 0>(rd<double>(_fd309), rd<double>(_fd311)))); }
  { wr(_fd313, (double)(sub_<double, 0>(rd<double>(_fd312), rd<double>(_fd310)))); }
  { wr(_fd314, (double)(add_<double, 0>(rd<double>(_fd307), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd85, (uint64_t)(rd<uint64_t>(_fd314))); }
  { wr(_rd86, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd85), (uint32_t)0x34ull))); }
  { wr(_rd87, (int64_t)(add_<int64_t>(rd<int64_t>(_rd86), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd315, (uint64_t)(rd<uint64_t>(_rd87))); }
  { wr(_fd316, (double)(mul_<double, 0>(rd<double>(_fd311), rd<double>(_fd311)))); }
  { wr(_fd317, (double)(mul_<double, 0>(rd<double>(_fd316), rd<double>(_fd316)))); }
  { wr(_fd318, (double)(fma_<double, 0>(rd<double>(_fd311), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd319, (double)(fma_<double, 0>(rd<double>(_fd311), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd320, (double)(fma_<double, 0>(rd<double>(_fd311), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd321, (double)(fma_<double, 0>(rd<double>(_fd311), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd322, (double)(fma_<double, 0>(rd<double>(_fd311), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd323, (double)(fma_<double, 0>(rd<double>(_fd316), rd<double>(_fd319), rd<double>(_fd318)))); }
  { wr(_fd324, (double)(fma_<double, 0>(rd<double>(_fd316), rd<double>(_fd321), rd<double>(_fd320)))); }
  { wr(_fd325, (double)(fma_<double, 0>(rd<double>(_fd322), rd<double>(_fd317), rd<double>(_fd324)))); }
  { wr(_fd326, (double)(fma_<double, 0>(rd<double>(_fd317), rd<double>(_fd325), rd<double>(_fd323)))); }
  { wr(_fd327, (double)(fma_<double, 0>(rd<double>(_fd316), rd<double>(_fd326), rd<double>(_fd313)))); }
  { wr(_fd328, (double)(add_<double, 0>(rd<double>(_fd311), rd<double>(_fd327)))); }
  { wr(_fd329, (double)(add_<double, 0>(rd<double>(_fd315), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd330, (double)(fma_<double, 0>(rd<double>(_fd328), rd<double>(_fd315), rd<double>(_fd329)))); }
  { wr(_fd331, (double)(add_<double, 0>(rd<double>(_fd330), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd332, (double)(div_<double>(rd<double>(_fd330), rd<double>(_fd331)))); }
  { wr(_rd88, (uint64_t)(rd<uint64_t>(_fd332))); }
  { wr(_rd89, (uint64_t)(rd<uint64_t>(_fd302))); }
  { wr(_rd90, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd89), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd91, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd90), rd<uint64_t>(_rd88)))); }
  { wr(_fd333, (uint64_t)(rd<uint64_t>(_rd91))); }
  { wr(_fd334, (double)(add_<double, 0>(rd<double>(_fd301), rd<double>(_fd333)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (16), 8, 0, 532)); wr(_fd335, (double)(get<double>(p_ + 0))); }
  { wr(_fd336, (double)(abs_<double>(rd<double>(_fd335)))); }
  { wr(_fd337, (double)(add_<double, 0>(rd<double>(_fd336), rd<double>(_fd336)))); }
  { wr(_p12, (bool)((double)rd<double>(_fd337) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd338, (double)(rd<bool>(_p12) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd337))); }
  { wr(_fd339, (double)(fma_<double, 0>(rd<double>(_fd338), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd340, (double)(add_<double, 0>(rd<double>(_fd339), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd341, (double)(mul_<double, 0>(rd<double>(_fd340), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd342, (double)(sub_<double, 0>(rd<double>(_fd338), rd<double>(_fd341)))); }
  { wr(_fd343, (double)(mul_<double, 0>(rd<double>(_fd340), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd344, (double)(sub_<double, 0>(rd<double>(_fd342), rd<double>(_fd343)))); }
  { wr(_fd345, (double)(sub_<double, 0>(rd<double>(_fd342), rd<double>(_fd344)))); }
  { wr(_fd346, (double)(sub_<double, 0>(rd<double>(_fd345), rd<double>(_fd343)))); }
  { wr(_fd347, (double)(add_<double, 0>(rd<double>(_fd340), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd92, (uint64_t)(rd<uint64_t>(_fd347))); }
  { wr(_rd93, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd92), (uint32_t)0x34ull))); }
  { wr(_rd94, (int64_t)(add_<int64_t>(rd<int64_t>(_rd93), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd348, (uint64_t)(rd<uint64_t>(_rd94))); }
  { wr(_fd349, (double)(mul_<double, 0>(rd<double>(_fd344), rd<double>(_fd344)))); }
  { wr(_fd350, (double)(mul_<double, 0>(rd<double>(_fd349), rd<double>(_fd349)))); }
  { wr(_fd351, (double)(fma_<double, 0>(rd<double>(_fd344), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd352, (double)(fma_<double, 0>(rd<double>(_fd344), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd353, (double)(fma_<double, 0>(rd<double>(_fd344), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd354, (double)(fma_<double, 0>(rd<double>(_fd344), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd355, (double)(fma_<double, 0>(rd<double>(_fd344), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd356, (double)(fma_<double, 0>(rd<double>(_fd349), rd<double>(_fd352), rd<double>(_fd351)))); }
  { wr(_fd357, (double)(fma_<double, 0>(rd<double>(_fd349), rd<double>(_fd354), rd<double>(_fd353)))); }
  { wr(_fd358, (double)(fma_<double, 0>(rd<double>(_fd355), rd<double>(_fd350), rd<double>(_fd357)))); }
  { wr(_fd359, (double)(fma_<double, 0>(rd<double>(_fd350), rd<double>(_fd358), rd<double>(_fd356)))); }
  { wr(_fd360, (double)(fma_<double, 0>(rd<double>(_fd349), rd<double>(_fd359), rd<double>(_fd346)))); }
  { wr(_fd361, (double)(add_<double, 0>(rd<double>(_fd344), rd<double>(_fd360)))); }
  { wr(_fd362, (double)(add_<double, 0>(rd<double>(_fd348), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd363, (double)(fma_<double, 0>(rd<double>(_fd361), rd<double>(_fd348), rd<double>(_fd362)))); }
  { wr(_fd364, (double)(add_<double, 0>(rd<double>(_fd363), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd365, (double)(div_<double>(rd<double>(_fd363), rd<double>(_fd364)))); }
  { wr(_rd95, (uint64_t)(rd<uint64_t>(_fd365))); }
  { wr(_rd96, (uint64_t)(rd<uint64_t>(_fd335))); }
  { wr(_rd97, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd96), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd98, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd97), rd<uint64_t>(_rd95)))); }
  { wr(_fd366, (uint64_t)(rd<uint64_t>(_rd98))); }
  { wr(_fd367, (double)(add_<double, 0>(rd<double>(_fd334), rd<double>(_fd366)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (24), 8, 0, 573)); wr(_fd368, (double)(get<double>(p_ + 0))); }
  { wr(_fd369, (double)(abs_<double>(rd<double>(_fd368)))); }
  { wr(_fd370, (double)(add_<double, 0>(rd<double>(_fd369), rd<double>(_fd369)))); }
  { wr(_p13, (bool)((double)rd<double>(_fd370) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd371, (double)(rd<bool>(_p13) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd370))); }
  { wr(_fd372, (double)(fma_<double, 0>(rd<double>(_fd371), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd373, (double)(add_<double, 0>(rd<double>(_fd372), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd374, (double)(mul_<double, 0>(rd<double>(_fd373), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd375, (double)(sub_<double, 0>(rd<double>(_fd371), rd<double>(_fd374)))); }
  { wr(_fd376, (double)(mul_<double, 0>(rd<double>(_fd373), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd377, (double)(sub_<double, 0>(rd<double>(_fd375), rd<double>(_fd376)))); }
  { wr(_fd378, (double)(sub_<double, 0>(rd<double>(_fd375), rd<double>(_fd377)))); }
  { wr(_fd379, (double)(sub_<double, 0>(rd<double>(_fd378), rd<double>(_fd376)))); }
  { wr(_fd380, (double)(add_<double, 0>(rd<double>(_fd373), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd99, (uint64_t)(rd<uint64_t>(_fd380))); }
  { wr(_rd100, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd99), (uint32_t)0x34ull))); }
  { wr(_rd101, (int64_t)(add_<int64_t>(rd<int64_t>(_rd100), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd381, (uint64_t)(rd<uint64_t>(_rd101))); }
  { wr(_fd382, (double)(mul_<double, 0>(rd<double>(_fd377), rd<double>(_fd377)))); }
  { wr(_fd383, (double)(mul_<double, 0>(rd<double>(_fd382), rd<double>(_fd382)))); }
  { wr(_fd384, (double)(fma_<double, 0>(rd<double>(_fd377), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd385, (double)(fma_<double, 0>(rd<double>(_fd377), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd386, (double)(fma_<double, 0>(rd<double>(_fd377), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd387, (double)(fma_<double, 0>(rd<double>(_fd377), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd388, (double)(fma_<double, 0>(rd<double>(_fd377), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd389, (double)(fma_<double, 0>(rd<double>(_fd382), rd<double>(_fd385), rd<double>(_fd384)))); }
  { wr(_fd390, (double)(fma_<double, 0>(rd<double>(_fd382), rd<double>(_fd387), rd<double>(_fd386)))); }
  { wr(_fd391, (double)(fma_<double, 0>(rd<double>(_fd388), rd<double>(_fd383), rd<double>(_fd390)))); }
  { wr(_fd392, (double)(fma_<double, 0>(rd<double>(_fd383), rd<double>(_fd391), rd<double>(_fd389)))); }
  { wr(_fd393, (double)(fma_<double, 0>(rd<double>(_fd382), rd<double>(_fd392), rd<double>(_fd379)))); }
  { wr(_fd394, (double)(add_<double, 0>(rd<double>(_fd377), rd<double>(_fd393)))); }
  { wr(_fd395, (double)(add_<double, 0>(rd<double>(_fd381), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd396, (double)(fma_<double, 0>(rd<double>(_fd394), rd<double>(_fd381), rd<double>(_fd395)))); }
  { wr(_fd397, (double)(add_<double, 0>(rd<double>(_fd396), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd398, (double)(div_<double>(rd<double>(_fd396), rd<double>(_fd397)))); }
  { wr(_rd102, (uint64_t)(rd<uint64_t>(_fd398))); }
  { wr(_rd103, (uint64_t)(rd<uint64_t>(_fd368))); }
  { wr(_rd104, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd103), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd105, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd104), rd<uint64_t>(_rd102)))); }
  { wr(_fd399, (uint64_t)(rd<uint64_t>(_rd105))); }
  { wr(_fd400, (double)(add_<double, 0>(rd<double>(_fd367), rd<double>(_fd399)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (32), 8, 0, 614)); wr(_fd401, (double)(get<double>(p_ + 0))); }
  { wr(_fd402, (double)(abs_<double>(rd<double>(_fd401)))); }
  { wr(_fd403, (double)(add_<double, 0>(rd<double>(_fd402), rd<double>(_fd402)))); }
  { wr(_p14, (bool)((double)rd<double>(_fd403) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd404, (double)(rd<bool>(_p14) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd403))); }
  { wr(_fd405, (double)(fma_<double, 0>(rd<double>(_fd404), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd406, (double)(add_<double, 0>(rd<double>(_fd405), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd407, (double)(mul_<double, 0>(rd<double>(_fd406), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd408, (double)(sub_<double, 0>(rd<double>(_fd404), rd<double>(_fd407)))); }
  { wr(_fd409, (double)(mul_<double, 0>(rd<double>(_fd406), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd410, (double)(sub_<double, 0>(rd<double>(_fd408), rd<double>(_fd409)))); }
  { wr(_fd411, (double)(sub_<double, 0>(rd<double>(_fd408), rd<double>(_fd410)))); }
  { wr(_fd412, (double)(sub_<double, 0>(rd<double>(_fd411), rd<double>(_fd409)))); }
  { wr(_fd413, (double)(add_<double, 0>(rd<double>(_fd406), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd106, (uint64_t)(rd<uint64_t>(_fd413))); }
  { wr(_rd107, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd106), (uint32_t)0x34ull))); }
  { wr(_rd108, (int64_t)(add_<int64_t>(rd<int64_t>(_rd107), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd414, (uint64_t)(rd<uint64_t>(_rd108))); }
  { wr(_fd415, (double)(mul_<double, 0>(rd<double>(_fd410), rd<double>(_fd410)))); }
  { wr(_fd416, (double)(mul_<double, 0>(rd<double>(_fd415), rd<double>(_fd415)))); }
  { wr(_fd417, (double)(fma_<double, 0>(rd<double>(_fd410), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd418, (double)(fma_<double, 0>(rd<double>(_fd410), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd419, (double)(fma_<double, 0>(rd<double>(_fd410), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd420, (double)(fma_<double, 0>(rd<double>(_fd410), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd421, (double)(fma_<double, 0>(rd<double>(_fd410), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd422, (double)(fma_<double, 0>(rd<double>(_fd415), rd<double>(_fd418), rd<double>(_fd417)))); }
  { wr(_fd423, (double)(fma_<double, 0>(rd<double>(_fd415), rd<double>(_fd420), rd<double>(_fd419)))); }
  { wr(_fd424, (double)(fma_<double, 0>(rd<double>(_fd421), rd<double>(_fd416), rd<double>(_fd423)))); }
  { wr(_fd425, (double)(fma_<double, 0>(rd<double>(_fd416), rd<double>(_fd424), rd<double>(_fd422)))); }
  { wr(_fd426, (double)(fma_<double, 0>(rd<double>(_fd415), rd<double>(_fd425), rd<double>(_fd412)))); }
  { wr(_fd427, (double)(add_<double, 0>(rd<double>(_fd410), rd<double>(_fd426)))); }
  { wr(_fd428, (double)(add_<double, 0>(rd<double>(_fd414), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd429, (double)(fma_<double, 0>(rd<double>(_fd427), rd<double>(_fd414), rd<double>(_fd428)))); }
  { wr(_fd430, (double)(add_<double, 0>(rd<double>(_fd429), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd431, (double)(div_<double>(rd<double>(_fd429), rd<double>(_fd430)))); }
  { wr(_rd109, (uint64_t)(rd<uint64_t>(_fd431))); }
  { wr(_rd110, (uint64_t)(rd<uint64_t>(_fd401))); }
  { wr(_rd111, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd110), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd112, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd111), rd<uint64_t>(_rd109)))); }
  { wr(_fd432, (uint64_t)(rd<uint64_t>(_rd112))); }
  { wr(_fd433, (double)(add_<double, 0>(rd<double>(_fd400), rd<double>(_fd432)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd138) + (40), 8, 0, 655)); wr(_fd434, (double)(get<double>(p_ + 0))); }
  { wr(_fd435, (double)(abs_<double>(rd<double>(_fd434)))); }
  { wr(_fd436, (double)(add_<double, 0>(rd<double>(_fd435), rd<double>(_fd435)))); }
  { wr(_p15, (bool)((double)rd<double>(_fd436) > (double)bits<double>(0x4044000000000000ull))); }
  { wr(_fd437, (double)(rd<bool>(_p15) ? bits<double>(0x4044000000000000ull) : rd<double>(_fd436))); }
  { wr(_fd438, (double)(fma_<double, 0>(rd<double>(_fd437), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd439, (double)(add_<double, 0>(rd<double>(_fd438), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd440, (double)(mul_<double, 0>(rd<double>(_fd439), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd441, (double)(sub_<double, 0>(rd<double>(_fd437), rd<double>(_fd440)))); }
  { wr(_fd442, (double)(mul_<double, 0>(rd<double>(_fd439), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd443, (double)(sub_<double, 0>(rd<double>(_fd441), rd<double>(_fd442)))); }
  { wr(_fd444, (double)(sub_<double, 0>(rd<double>(_fd441), rd<double>(_fd443)))); }
  { wr(_fd445, (double)(sub_<double, 0>(rd<double>(_fd444), rd<double>(_fd442)))); }
  { wr(_fd446, (double)(add_<double, 0>(rd<double>(_fd439), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd113, (uint64_t)(rd<uint64_t>(_fd446))); }
  { wr(_rd114, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd113), (uint32_t)0x34ull))); }
  { wr(_rd115, (int64_t)(add_<int64_t>(rd<int64_t>(_rd114), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd447, (uint64_t)(rd<uint64_t>(_rd115))); }
  { wr(_fd448, (double)(mul_<double, 0>(rd<double>(_fd443), rd<double>(_fd443)))); }
  { wr(_fd449, (double)(mul_<double, 0>(rd<double>(_fd448), rd<double>(_fd448)))); }
  { wr(_fd450, (double)(fma_<double, 0>(rd<double>(_fd443), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd451, (double)(fma_<double, 0>(rd<double>(_fd443), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd452, (double)(fma_<double, 0>(rd<double>(_fd443), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd453, (double)(fma_<double, 0>(rd<double>(_fd443), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd454, (double)(fma_<double, 0>(rd<double>(_fd443), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd455, (double)(fma_<double, 0>(rd<double>(_fd448), rd<double>(_fd451), rd<double>(_fd450)))); }
  { wr(_fd456, (double)(fma_<double, 0>(rd<double>(_fd448), rd<double>(_fd453), rd<double>(_fd452)))); }
  { wr(_fd457, (double)(fma_<double, 0>(rd<double>(_fd454), rd<double>(_fd449), rd<double>(_fd456)))); }
  { wr(_fd458, (double)(fma_<double, 0>(rd<double>(_fd449), rd<double>(_fd457), rd<double>(_fd455)))); }
  { wr(_fd459, (double)(fma_<double, 0>(rd<double>(_fd448), rd<double>(_fd458), rd<double>(_fd445)))); }
  { wr(_fd460, (double)(add_<double, 0>(rd<double>(_fd443), rd<double>(_fd459)))); }
  { wr(_fd461, (double)(add_<double, 0>(rd<double>(_fd447), bits<double>(0xBFF0000000000000ull)))); }
  { wr(_fd462, (double)(fma_<double, 0>(rd<double>(_fd460), rd<double>(_fd447), rd<double>(_fd461)))); }
  { wr(_fd463, (double)(add_<double, 0>(rd<double>(_fd462), bits<double>(0x4000000000000000ull)))); }
  { wr(_fd464, (double)(div_<double>(rd<double>(_fd462), rd<double>(_fd463)))); }
  { wr(_rd116, (uint64_t)(rd<uint64_t>(_fd464))); }
  { wr(_rd117, (uint64_t)(rd<uint64_t>(_fd434))); }
  { wr(_rd118, (uint64_t)(and_<uint64_t>(rd<uint64_t>(_rd117), (uint64_t)0x8000000000000000ull))); }
  { wr(_rd119, (uint64_t)(or_<uint64_t>(rd<uint64_t>(_rd118), rd<uint64_t>(_rd116)))); }
  { wr(_fd465, (uint64_t)(rd<uint64_t>(_rd119))); }
  { wr(_fd2, (double)(add_<double, 0>(rd<double>(_fd433), rd<double>(_fd465)))); }
  { wr(_rd137, (int64_t)(add_<int64_t>(rd<int64_t>(_rd137), (int64_t)0xfffffffffffffff0ull))); }
  { wr(_p16, (bool)((int64_t)rd<int64_t>(_rd137) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p16)) { goto _L__BB0_5; }
  { goto _L__BB0_4; }
  _L__BB0_5:;
  { wr(_rd134, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd136), (uint32_t)0x3ull))); }
  { wr(_rd135, (int64_t)(add_<int64_t>(rd<int64_t>(_rd5), rd<int64_t>(_rd134)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd135), 8, 1, 704)); put<double>(p_ + 0, rd<double>(_fd2)); }
  { wr(_rd136, (int64_t)(add_<int64_t>(rd<int64_t>(_rd136), rd<int64_t>(_rd3)))); }
  { wr(_p19, (bool)((uint64_t)rd<uint64_t>(_rd136) < (uint64_t)(uint64_t)0x14ull)); }
  if (rd<bool>(_p19)) { goto _L__BB0_2; }
  _L__BB0_6:;
  { return; }
}

static const unsigned o_kernel_0[] = {0, 8, 0}, s_kernel_0[] = {8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"kernel_0", k_kernel_0, 2, o_kernel_0, s_kernel_0, 16, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
