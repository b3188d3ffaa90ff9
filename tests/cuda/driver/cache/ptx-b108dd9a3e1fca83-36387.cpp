#include "cuda_cpu.h"

static void k_kernel_0(Thread &T, const char *T_params)
{
  uint32_t CC = 0; (void)CC; (void)T_params;
  bool _p0, _p1, _p2, _p3, _p4, _p5, _p6, _p7, _p8, _p9, _p10, _p11, _p12, _p13, _p14, _p15, _p16, _p17, _p18, _p19, _p20, _p21, _p22, _p23, _p24, _p25, _p26, _p27, _p28, _p29, _p30, _p31, _p32, _p33, _p34, _p35, _p36, _p37, _p38, _p39, _p40, _p41, _p42, _p43, _p44, _p45, _p46, _p47, _p48, _p49, _p50, _p51, _p52, _p53, _p54, _p55, _p56, _p57, _p58, _p59, _p60, _p61, _p62, _p63, _p64, _p65, _p66, _p67, _p68, _p69, _p70, _p71, _p72, _p73, _p74, _p75, _p76, _p77, _p78, _p79, _p80, _p81, _p82, _p83, _p84, _p85;
  uint32_t _r0, _r1, _r2, _r3, _r4;
  uint64_t _fd0, _fd1, _fd2, _fd3, _fd4, _fd5, _fd6, _fd7, _fd8, _fd9, _fd10, _fd11, _fd12, _fd13, _fd14, _fd15, _fd16, _fd17, _fd18, _fd19, _fd20, _fd21, _fd22, _fd23, _fd24, _fd25, _fd26, _fd27, _fd28, _fd29, _fd30, _fd31, _fd32, _fd33, _fd34, _fd35, _fd36, _fd37, _fd38, _fd39, _fd40, _fd41, _fd42, _fd43, _fd44, _fd45, _fd46, _fd47, _fd48, _fd49, _fd50, _fd51, _fd52, _fd53, _fd54, _fd55, _fd56, _fd57, _fd58, _fd59, _fd60, _fd61, _fd62, _fd63, _fd64, _fd65, _fd66, _fd67, _fd68, _fd69, _fd70, _fd71, _fd72, _fd73, _fd74, _fd75, _fd76, _fd77, _fd78, _fd79, _fd80, _fd81, _fd82, _fd83, _fd84, _fd85, _fd86, _fd87, _fd88, _fd89, _fd90, _fd91, _fd92, _fd93, _fd94, _fd95, _fd96, _fd97, _fd98, _fd99, _fd100, _fd101, _fd102, _fd103, _fd104, _fd105, _fd106, _fd107, _fd108, _fd109, _fd110, _fd111, _fd112, _fd113, _fd114, _fd115, _fd116, _fd117, _fd118, _fd119, _fd120, _fd121, _fd122, _fd123, _fd124, _fd125, _fd126, _fd127, _fd128, _fd129, _fd130, _fd131, _fd132, _fd133, _fd134, _fd135, _fd136, _fd137, _fd138, _fd139, _fd140, _fd141, _fd142, _fd143, _fd144, _fd145, _fd146, _fd147, _fd148, _fd149, _fd150, _fd151, _fd152, _fd153, _fd154, _fd155, _fd156, _fd157, _fd158, _fd159, _fd160, _fd161, _fd162, _fd163, _fd164, _fd165, _fd166, _fd167, _fd168, _fd169, _fd170, _fd171, _fd172, _fd173, _fd174, _fd175, _fd176, _fd177, _fd178, _fd179, _fd180, _fd181, _fd182, _fd183, _fd184, _fd185, _fd186, _fd187, _fd188, _fd189, _fd190, _fd191, _fd192, _fd193, _fd194, _fd195, _fd196, _fd197, _fd198, _fd199, _fd200, _fd201, _fd202, _fd203, _fd204, _fd205, _fd206, _fd207, _fd208, _fd209, _fd210, _fd211, _fd212, _fd213, _fd214, _fd215, _fd216, _fd217, _fd218, _fd219, _fd220, _fd221, _fd222, _fd223, _fd224, _fd225, _fd226, _fd227, _fd228, _fd229, _fd230, _fd231, _fd232, _fd233, _fd234, _fd235, _fd236, _fd237, _fd238, _fd239, _fd240, _fd241, _fd242, _fd243, _fd244, _fd245, _fd246, _fd247, _fd248, _fd249, _fd250, _fd251, _fd252, _fd253, _fd254, _fd255, _fd256, _fd257, _fd258, _fd259, _fd260, _fd261, _fd262, _fd263, _fd264, _fd265, _fd266, _fd267, _fd268, _fd269, _fd270, _fd271, _fd272, _fd273, _fd274, _fd275, _fd276, _fd277, _fd278, _fd279, _fd280, _fd281, _fd282, _fd283, _fd284, _fd285, _fd286, _fd287, _fd288, _fd289, _fd290, _fd291, _fd292, _fd293, _fd294, _fd295, _fd296, _fd297, _fd298, _fd299, _fd300, _fd301, _fd302, _fd303, _fd304, _fd305, _fd306, _fd307, _fd308, _fd309, _fd310, _fd311, _fd312, _fd313, _fd314, _fd315, _fd316, _fd317, _fd318, _fd319, _fd320, _fd321, _fd322, _fd323, _fd324, _fd325, _fd326, _fd327, _fd328, _fd329, _fd330, _fd331, _fd332, _fd333, _fd334, _fd335, _fd336, _fd337, _fd338, _fd339, _fd340, _fd341, _fd342, _fd343, _fd344, _fd345, _fd346, _fd347, _fd348, _fd349, _fd350, _fd351, _fd352, _fd353, _fd354, _fd355, _fd356, _fd357, _fd358, _fd359, _fd360, _fd361, _fd362, _fd363, _fd364, _fd365, _fd366, _fd367, _fd368, _fd369, _fd370, _fd371, _fd372, _fd373, _fd374, _fd375, _fd376, _fd377, _fd378, _fd379, _fd380, _fd381, _fd382, _fd383, _fd384, _fd385, _fd386, _fd387, _fd388, _fd389, _fd390, _fd391, _fd392, _fd393, _fd394, _fd395, _fd396, _fd397, _fd398, _fd399, _fd400, _fd401, _fd402, _fd403, _fd404, _fd405, _fd406, _fd407, _fd408, _fd409, _fd410, _fd411, _fd412, _fd413, _fd414, _fd415, _fd416, _fd417, _fd418, _fd419, _fd420, _fd421, _fd422, _fd423, _fd424, _fd425, _fd426, _fd427, _fd428, _fd429, _fd430, _fd431, _fd432, _fd433, _fd434, _fd435, _fd436, _fd437, _fd438, _fd439, _fd440, _fd441, _fd442, _fd443, _fd444, _fd445, _fd446, _fd447, _fd448, _fd449, _fd450, _fd451, _fd452, _fd453, _fd454, _fd455, _fd456, _fd457, _fd458, _fd459, _fd460, _fd461, _fd462, _fd463, _fd464, _fd465, _fd466, _fd467, _fd468, _fd469, _fd470, _fd471, _fd472, _fd473, _fd474, _fd475, _fd476, _fd477, _fd478, _fd479, _fd480, _fd481, _fd482, _fd483, _fd484, _fd485, _fd486, _fd487, _fd488, _fd489, _fd490, _fd491, _fd492, _fd493, _fd494, _fd495, _fd496, _fd497, _fd498, _fd499, _fd500, _fd501, _fd502, _fd503, _fd504, _fd505, _fd506, _fd507, _fd508, _fd509, _fd510, _fd511, _fd512, _fd513, _fd514, _fd515, _fd516, _fd517, _fd518, _fd519, _fd520, _fd521, _fd522, _fd523, _fd524, _fd525, _fd526, _fd527, _fd528, _fd529, _fd530, _fd531, _fd532, _fd533, _fd534, _fd535, _fd536, _fd537, _fd538, _fd539, _fd540, _fd541, _fd542, _fd543, _fd544, _fd545, _fd546, _fd547, _fd548, _fd549, _fd550, _fd551, _fd552, _fd553, _fd554, _fd555, _fd556, _fd557, _fd558, _fd559, _fd560, _fd561, _fd562, _fd563, _fd564, _fd565, _fd566, _fd567, _fd568, _fd569, _fd570, _fd571, _fd572, _fd573, _fd574, _fd575, _fd576, _fd577, _fd578, _fd579, _fd580, _fd581, _fd582, _fd583, _fd584, _fd585, _fd586, _fd587, _fd588, _fd589, _fd590, _fd591, _fd592, _fd593, _fd594, _fd595, _fd596, _fd597, _fd598;
  uint64_t _rd0, _rd1, _rd2, _rd3, _rd4, _rd5, _rd6, _rd7, _rd8, _rd9, _rd10, _rd11, _rd12, _rd13, _rd14, _rd15, _rd16, _rd17, _rd18, _rd19, _rd20, _rd21, _rd22, _rd23, _rd24, _rd25, _rd26, _rd27, _rd28, _rd29, _rd30, _rd31, _rd32, _rd33, _rd34, _rd35, _rd36, _rd37, _rd38, _rd39, _rd40, _rd41, _rd42, _rd43, _rd44, _rd45, _rd46, _rd47, _rd48, _rd49, _rd50, _rd51, _rd52, _rd53, _rd54, _rd55, _rd56, _rd57, _rd58, _rd59, _rd60, _rd61, _rd62, _rd63, _rd64, _rd65, _rd66, _rd67, _rd68, _rd69, _rd70, _rd71, _rd72, _rd73, _rd74, _rd75, _rd76, _rd77, _rd78, _rd79, _rd80, _rd81, _rd82, _rd83, _rd84, _rd85, _rd86, _rd87, _rd88, _rd89, _rd90, _rd91, _rd92, _rd93, _rd94, _rd95, _rd96, _rd97, _rd98, _rd99, _rd100, _rd101, _rd102, _rd103, _rd104, _rd105, _rd106, _rd107, _rd108, _rd109, _rd110, _rd111, _rd112, _rd113, _rd114, _rd115, _rd116, _rd117, _rd118, _rd119, _rd120, _rd121, _rd122, _rd123, _rd124, _rd125, _rd126, _rd127, _rd128, _rd129, _rd130, _rd131, _rd132, _rd133, _rd134, _rd135, _rd136, _rd137, _rd138, _rd139, _rd140, _rd141, _rd142;
  { const char *p_ = (const char *)((T_params + 0)); wr(_rd26, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 8)); wr(_rd25, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { const char *p_ = (const char *)((T_params + 16)); wr(_rd27, (uint64_t)(get<uint64_t>(p_ + 0))); }
  { wr(_rd1, (uint64_t)(rd<uint64_t>(_rd26))); }
  { wr(_rd2, (uint64_t)(rd<uint64_t>(_rd27))); }
  { wr(_r1, (uint32_t)((uint32_t)T.b->bid.x)); }
  { wr(_r2, (uint32_t)((uint32_t)T.b->bd.x)); }
  { wr(_rd3, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r2)))); }
  { wr(_rd28, (uint64_t)((uint64_t)rd<uint32_t>(_r1) * (uint64_t)rd<uint32_t>(_r2))); }
  { wr(_r3, (uint32_t)((uint32_t)T.tid.x)); }
  { wr(_rd29, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r3)))); }
  { wr(_rd138, (int64_t)(add_<int64_t>(rd<int64_t>(_rd28), rd<int64_t>(_rd29)))); }
  { wr(_p1, (bool)((uint64_t)rd<uint64_t>(_rd138) > (uint64_t)(uint64_t)0x13ull)); }
  if (rd<bool>(_p1)) { goto _L__BB0_12; }
  { wr(_r4, (uint32_t)((uint32_t)T.b->gd.x)); }
  { wr(_rd30, (uint64_t)(convert<uint64_t, uint32_t, -1, 0>(rd<uint32_t>(_r4)))); }
  { wr(_rd5, (int64_t)((uint64_t)rd<int64_t>(_rd30) * (uint64_t)rd<int64_t>(_rd3))); }
  { wr(_rd6, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), (int64_t)0x40ull))); }
  { wr(_rd7, (uint64_t)(rd<uint64_t>(_rd25))); }
  _L__BB0_2:;
  { wr(_rd9, (int64_t)((uint64_t)rd<int64_t>(_rd138) * (uint64_t)(int64_t)0x1eull)); }
  { wr(_rd32, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd9), (uint32_t)0x3ull))); }
  { wr(_rd140, (int64_t)(add_<int64_t>(rd<int64_t>(_rd6), rd<int64_t>(_rd32)))); }
  { wr(_fd597, (double)(bits<double>(0xFFF0000000000000ull))); }
  { wr(_rd139, (uint64_t)((uint64_t)0x20ull)); }
  { goto _L__BB0_3; }
  _L__BB0_4:;
  { wr(_rd135, (int64_t)(add_<int64_t>(rd<int64_t>(_rd140), (int64_t)0xffffffffffffffc0ull))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd135) + (112), 8, 0, 39)); wr(_fd35, (double)(get<double>(p_ + 0))); }
  { wr(_p45, (bool)((double)rd<double>(_fd35) > (double)rd<double>(_fd2))); }
  { wr(_p46, (bool)(isnan_(rd<double>(_fd35)) | isnan_(rd<double>(_fd35)))); }
  { wr(_p47, (bool)(rd<bool>(_p45) | rd<bool>(_p46))); }
  { wr(_fd36, (double)(rd<bool>(_p47) ? rd<double>(_fd35) : rd<double>(_fd2))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd135) + (120), 8, 0, 44)); wr(_fd37, (double)(get<double>(p_ + 0))); }
  { wr(_p48, (bool)((double)rd<double>(_fd37) > (double)rd<double>(_fd36))); }
  { wr(_p49, (bool)(isnan_(rd<double>(_fd37)) | isnan_(rd<double>(_fd37)))); }
  { wr(_p50, (bool)(rd<bool>(_p48) | rd<bool>(_p49))); }
  { wr(_fd597, (double)(rd<bool>(_p50) ? rd<double>(_fd37) : rd<double>(_fd36))); }
  { wr(_rd140, (int64_t)(add_<int64_t>(rd<int64_t>(_rd140), (int64_t)0x80ull))); }
  _L__BB0_3:;
  
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-64), 8, 0, 53)); wr(_fd8, (double)(get<double>(p_ + 0))); }
  { wr(_p2, (bool)((double)rd<double>(_fd8) > (double)rd<double>(_fd597))); }
  { wr(_p3, (bool)(isnan_(rd<double>(_fd8)) | isnan_(rd<double>(_fd8)))); }
  { wr(_p4, (bool)(rd<bool>(_p2) | rd<bool>(_p3))); }
  { wr(_fd9, (double)(rd<bool>(_p4) ? rd<double>(_fd8) : rd<double>(_fd597))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-56), 8, 0, 58)); wr(_fd10, (double)(get<double>(p_ + 0))); }
  { wr(_p5, (bool)((double)rd<double>(_fd10) > (double)rd<double>(_fd9))); }
  { wr(_p6, (bool)(isnan_(rd<double>(_fd10)) | isnan_(rd<double>(_fd10)))); }
  { wr(_p7, (bool)(rd<bool>(_p5) | rd<bool>(_p6))); }
  { wr(_fd11, (double)(rd<bool>(_p7) ? rd<double>(_fd10) : rd<double>(_fd9))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-48), 8, 0, 63)); wr(_fd12, (double)(get<double>(p_ + 0))); }
  { wr(_p8, (bool)((double)rd<double>(_fd12) > (double)rd<double>(_fd11))); }
  { wr(_p9, (bool)(isnan_(rd<double>(_fd12)) | isnan_(rd<double>(_fd12)))); }
  { wr(_p10, (bool)(rd<bool>(_p8) | rd<bool>(_p9))); }
  { wr(_fd13, (double)(rd<bool>(_p10) ? rd<double>(_fd12) : rd<double>(_fd11))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-40), 8, 0, 68)); wr(_fd14, (double)(get<double>(p_ + 0))); }
  { wr(_p11, (bool)((double)rd<double>(_fd14) > (double)rd<double>(_fd13))); }
  { wr(_p12, (bool)(isnan_(rd<double>(_fd14)) | isnan_(rd<double>(_fd14)))); }
  { wr(_p13, (bool)(rd<bool>(_p11) | rd<bool>(_p12))); }
  { wr(_fd15, (double)(rd<bool>(_p13) ? rd<double>(_fd14) : rd<double>(_fd13))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-32), 8, 0, 73)); wr(_fd16, (double)(get<double>(p_ + 0))); }
  { wr(_p14, (bool)((double)rd<double>(_fd16) > (double)rd<double>(_fd15))); }
  { wr(_p15, (bool)(isnan_(rd<double>(_fd16)) | isnan_(rd<double>(_fd16)))); }
  { wr(_p16, (bool)(rd<bool>(_p14) | rd<bool>(_p15))); }
  { wr(_fd17, (double)(rd<bool>(_p16) ? rd<double>(_fd16) : rd<double>(_fd15))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-24), 8, 0, 78)); wr(_fd18, (double)(get<double>(p_ + 0))); }
  { wr(_p17, (bool)((double)rd<double>(_fd18) > (double)rd<double>(_fd17))); }
  { wr(_p18, (bool)(isnan_(rd<double>(_fd18)) | isnan_(rd<double>(_fd18)))); }
  { wr(_p19, (bool)(rd<bool>(_p17) | rd<bool>(_p18))); }
  { wr(_fd19, (double)(rd<bool>(_p19) ? rd<double>(_fd18) : rd<double>(_fd17))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-16), 8, 0, 83)); wr(_fd20, (double)(get<double>(p_ + 0))); }
  { wr(_p20, (bool)((double)rd<double>(_fd20) > (double)rd<double>(_fd19))); }
  { wr(_p21, (bool)(isnan_(rd<double>(_fd20)) | isnan_(rd<double>(_fd20)))); }
  { wr(_p22, (bool)(rd<bool>(_p20) | rd<bool>(_p21))); }
  { wr(_fd21, (double)(rd<bool>(_p22) ? rd<double>(_fd20) : rd<double>(_fd19))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (-8), 8, 0, 88)); wr(_fd22, (double)(get<double>(p_ + 0))); }
  { wr(_p23, (bool)((double)rd<double>(_fd22) > (double)rd<double>(_fd21))); }
  { wr(_p24, (bool)(isnan_(rd<double>(_fd22)) | isnan_(rd<double>(_fd22)))); }
  { wr(_p25, (bool)(rd<bool>(_p23) | rd<bool>(_p24))); }
  { wr(_fd23, (double)(rd<bool>(_p25) ? rd<double>(_fd22) : rd<double>(_fd21))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140), 8, 0, 93)); wr(_fd24, (double)(get<double>(p_ + 0))); }
  { wr(_p26, (bool)((double)rd<double>(_fd24) > (double)rd<double>(_fd23))); }
  { wr(_p27, (bool)(isnan_(rd<double>(_fd24)) | isnan_(rd<double>(_fd24)))); }
  { wr(_p28, (bool)(rd<bool>(_p26) | rd<bool>(_p27))); }
  { wr(_fd25, (double)(rd<bool>(_p28) ? rd<double>(_fd24) : rd<double>(_fd23))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (8), 8, 0, 98)); wr(_fd26, (double)(get<double>(p_ + 0))); }
  { wr(_p29, (bool)((double)rd<double>(_fd26) > (double)rd<double>(_fd25))); }
  { wr(_p30, (bool)(isnan_(rd<double>(_fd26)) | isnan_(rd<double>(_fd26)))); }
  { wr(_p31, (bool)(rd<bool>(_p29) | rd<bool>(_p30))); }
  { wr(_fd27, (double)(rd<bool>(_p31) ? rd<double>(_fd26) : rd<double>(_fd25))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (16), 8, 0, 103)); wr(_fd28, (double)(get<double>(p_ + 0))); }
  { wr(_p32, (bool)((double)rd<double>(_fd28) > (double)rd<double>(_fd27))); }
  { wr(_p33, (bool)(isnan_(rd<double>(_fd28)) | isnan_(rd<double>(_fd28)))); }
  { wr(_p34, (bool)(rd<bool>(_p32) | rd<bool>(_p33))); }
  { wr(_fd29, (double)(rd<bool>(_p34) ? rd<double>(_fd28) : rd<double>(_fd27))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (24), 8, 0, 108)); wr(_fd30, (double)(get<double>(p_ + 0))); }
  { wr(_p35, (bool)((double)rd<double>(_fd30) > (double)rd<double>(_fd29))); }
  { wr(_p36, (bool)(isnan_(rd<double>(_fd30)) | isnan_(rd<double>(_fd30)))); }
  { wr(_p37, (bool)(rd<bool>(_p35) | rd<bool>(_p36))); }
  { wr(_fd31, (double)(rd<bool>(_p37) ? rd<double>(_fd30) : rd<double>(_fd29))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (32), 8, 0, 113)); wr(_fd32, (double)(get<double>(p_ + 0))); }
  { wr(_p38, (bool)((double)rd<double>(_fd32) > (double)rd<double>(_fd31))); }
  { wr(_p39, (bool)(isnan_(rd<double>(_fd32)) | isnan_(rd<double>(_fd32)))); }
  { wr(_p40, (bool)(rd<bool>(_p38) | rd<bool>(_p39))); }
  { wr(_fd33, (double)(rd<bool>(_p40) ? rd<double>(_fd32) : rd<double>(_fd31))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd140) + (40), 8, 0, 118)); wr(_fd34, (double)(get<double>(p_ + 0))); }
  { wr(_p41, (bool)((double)rd<double>(_fd34) > (double)rd<double>(_fd33))); }
  { wr(_p42, (bool)(isnan_(rd<double>(_fd34)) | isnan_(rd<double>(_fd34)))); }
  { wr(_p43, (bool)(rd<bool>(_p41) | rd<bool>(_p42))); }
  { wr(_fd2, (double)(rd<bool>(_p43) ? rd<double>(_fd34) : rd<double>(_fd33))); }
  { wr(_rd139, (int64_t)(add_<int64_t>(rd<int64_t>(_rd139), (int64_t)0xfffffffffffffff0ull))); }
  { wr(_p44, (bool)((int64_t)rd<int64_t>(_rd139) == (int64_t)(int64_t)0x0ull)); }
  if (rd<bool>(_p44)) { goto _L__BB0_5; }
  { goto _L__BB0_4; }
  _L__BB0_5:;
  { wr(_fd598, (double)(bits<double>(0x0000000000000000ull))); }
  { wr(_rd141, (uint64_t)((uint64_t)0x0ull)); }
  { goto _L__BB0_6; }
  _L__BB0_7:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (112), 8, 0, 134)); wr(_fd500, (double)(get<double>(p_ + 0))); }
  { wr(_fd501, (double)(sub_<double, 0>(rd<double>(_fd500), rd<double>(_fd2)))); }
  { wr(_p80, (bool)((double)rd<double>(_fd501) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd502, (double)(rd<bool>(_p80) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd501))); }
  { wr(_p81, (bool)((double)rd<double>(_fd502) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd503, (double)(rd<bool>(_p81) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd502))); }
  { wr(_fd504, (double)(fma_<double, 0>(rd<double>(_fd503), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd505, (double)(add_<double, 0>(rd<double>(_fd504), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd506, (double)(mul_<double, 0>(rd<double>(_fd505), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd507, (double)(sub_<double, 0>(rd<double>(_fd503), rd<double>(_fd506)))); }
  { wr(_fd508, (double)(mul_<double, 0>(rd<double>(_fd505), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd509, (double)(sub_<double, 0>(rd<double>(_fd507), rd<double>(_fd508)))); }
  { wr(_fd510, (double)(mul_<double, 0>(rd<double>(_fd509), rd<double>(_fd509)))); }
  { wr(_fd511, (double)(mul_<double, 0>(rd<double>(_fd510), rd<double>(_fd510)))); }
  { wr(_fd512, (double)(fma_<double, 0>(rd<double>(_fd509), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd513, (double)(fma_<double, 0>(rd<double>(_fd509), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd514, (double)(fma_<double, 0>(rd<double>(_fd509), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd515, (double)(fma_<double, 0>(rd<double>(_fd509), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd516, (double)(fma_<double, 0>(rd<double>(_fd509), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd517, (double)(fma_<double, 0>(rd<double>(_fd510), rd<double>(_fd513), rd<double>(_fd512)))); }
  { wr(_fd518, (double)(fma_<double, 0>(rd<double>(_fd510), rd<double>(_fd515), rd<double>(_fd514)))); }
  { wr(_fd519, (double)(fma_<double, 0>(rd<double>(_fd516), rd<double>(_fd511), rd<double>(_fd518)))); }
  { wr(_fd520, (double)(fma_<double, 0>(rd<double>(_fd511), rd<double>(_fd519), rd<double>(_fd517)))); }
  { wr(_fd521, (double)(fma_<double, 0>(rd<double>(_fd510), rd<double>(_fd520), rd<double>(_fd509)))); }
  { wr(_fd522, (double)(add_<double, 0>(rd<double>(_fd521), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd523, (double)(fma_<double, 0>(rd<double>(_fd505), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd524, (double)(add_<double, 0>(rd<double>(_fd523), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd525, (double)(add_<double, 0>(rd<double>(_fd524), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd120, (uint64_t)(rd<uint64_t>(_fd525))); }
  { wr(_rd121, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd120), (uint32_t)0x34ull))); }
  { wr(_rd122, (int64_t)(add_<int64_t>(rd<int64_t>(_rd121), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd526, (uint64_t)(rd<uint64_t>(_rd122))); }
  { wr(_fd527, (double)(mul_<double, 0>(rd<double>(_fd522), rd<double>(_fd526)))); }
  { wr(_fd528, (double)(sub_<double, 0>(rd<double>(_fd505), rd<double>(_fd524)))); }
  { wr(_fd529, (double)(add_<double, 0>(rd<double>(_fd528), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd123, (uint64_t)(rd<uint64_t>(_fd529))); }
  { wr(_rd124, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd123), (uint32_t)0x34ull))); }
  { wr(_rd125, (int64_t)(add_<int64_t>(rd<int64_t>(_rd124), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd530, (uint64_t)(rd<uint64_t>(_rd125))); }
  { wr(_fd531, (double)(mul_<double, 0>(rd<double>(_fd527), rd<double>(_fd530)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (112), 8, 1, 174)); put<double>(p_ + 0, rd<double>(_fd531)); }
  { wr(_fd532, (double)(add_<double, 0>(rd<double>(_fd5), rd<double>(_fd531)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (120), 8, 0, 176)); wr(_fd533, (double)(get<double>(p_ + 0))); }
  { wr(_fd534, (double)(sub_<double, 0>(rd<double>(_fd533), rd<double>(_fd2)))); }
  { wr(_p82, (bool)((double)rd<double>(_fd534) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd535, (double)(rd<bool>(_p82) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd534))); }
  { wr(_p83, (bool)((double)rd<double>(_fd535) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd536, (double)(rd<bool>(_p83) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd535))); }
  { wr(_fd537, (double)(fma_<double, 0>(rd<double>(_fd536), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd538, (double)(add_<double, 0>(rd<double>(_fd537), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd539, (double)(mul_<double, 0>(rd<double>(_fd538), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd540, (double)(sub_<double, 0>(rd<double>(_fd536), rd<double>(_fd539)))); }
  { wr(_fd541, (double)(mul_<double, 0>(rd<double>(_fd538), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd542, (double)(sub_<double, 0>(rd<double>(_fd540), rd<double>(_fd541)))); }
  { wr(_fd543, (double)(mul_<double, 0>(rd<double>(_fd542), rd<double>(_fd542)))); }
  { wr(_fd544, (double)(mul_<double, 0>(rd<double>(_fd543), rd<double>(_fd543)))); }
  { wr(_fd545, (double)(fma_<double, 0>(rd<double>(_fd542), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd546, (double)(fma_<double, 0>(rd<double>(_fd542), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd547, (double)(fma_<double, 0>(rd<double>(_fd542), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd548, (double)(fma_<double, 0>(rd<double>(_fd542), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd549, (double)(fma_<double, 0>(rd<double>(_fd542), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd550, (double)(fma_<double, 0>(rd<double>(_fd543), rd<double>(_fd546), rd<double>(_fd545)))); }
  { wr(_fd551, (double)(fma_<double, 0>(rd<double>(_fd543), rd<double>(_fd548), rd<double>(_fd547)))); }
  { wr(_fd552, (double)(fma_<double, 0>(rd<double>(_fd549), rd<double>(_fd544), rd<double>(_fd551)))); }
  { wr(_fd553, (double)(fma_<double, 0>(rd<double>(_fd544), rd<double>(_fd552), rd<double>(_fd550)))); }
  { wr(_fd554, (double)(fma_<double, 0>(rd<double>(_fd543), rd<double>(_fd553), rd<double>(_fd542)))); }
  { wr(_fd555, (double)(add_<double, 0>(rd<double>(_fd554), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd556, (double)(fma_<double, 0>(rd<double>(_fd538), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd557, (double)(add_<double, 0>(rd<double>(_fd556), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd558, (double)(add_<double, 0>(rd<double>(_fd557), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd126, (uint64_t)(rd<uint64_t>(_fd558))); }
  { wr(_rd127, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd126), (uint32_t)0x34ull))); }
  { wr(_rd128, (int64_t)(add_<int64_t>(rd<int64_t>(_rd127), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd559, (uint64_t)(rd<uint64_t>(_rd128))); }
  { wr(_fd560, (double)(mul_<double, 0>(rd<double>(_fd555), rd<double>(_fd559)))); }
  { wr(_fd561, (double)(sub_<double, 0>(rd<double>(_fd538), rd<double>(_fd557)))); }
  { wr(_fd562, (double)(add_<double, 0>(rd<double>(_fd561), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd129, (uint64_t)(rd<uint64_t>(_fd562))); }
  { wr(_rd130, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd129), (uint32_t)0x34ull))); }
  { wr(_rd131, (int64_t)(add_<int64_t>(rd<int64_t>(_rd130), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd563, (uint64_t)(rd<uint64_t>(_rd131))); }
  { wr(_fd564, (double)(mul_<double, 0>(rd<double>(_fd560), rd<double>(_fd563)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (120), 8, 1, 216)); put<double>(p_ + 0, rd<double>(_fd564)); }
  { wr(_fd598, (double)(add_<double, 0>(rd<double>(_fd532), rd<double>(_fd564)))); }
  { wr(_rd141, (int64_t)(add_<int64_t>(rd<int64_t>(_rd141), (int64_t)0x10ull))); }
  _L__BB0_6:;
  
  { wr(_rd136, (int64_t)((uint64_t)rd<int64_t>(_rd138) * (uint64_t)(int64_t)0x1eull)); }
  { wr(_rd34, (int64_t)(add_<int64_t>(rd<int64_t>(_rd141), rd<int64_t>(_rd136)))); }
  { wr(_rd35, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd34), (uint32_t)0x3ull))); }
  { wr(_rd17, (int64_t)(add_<int64_t>(rd<int64_t>(_rd1), rd<int64_t>(_rd35)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17), 8, 0, 226)); wr(_fd39, (double)(get<double>(p_ + 0))); }
  { wr(_fd40, (double)(sub_<double, 0>(rd<double>(_fd39), rd<double>(_fd2)))); }
  { wr(_p51, (bool)((double)rd<double>(_fd40) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd41, (double)(rd<bool>(_p51) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd40))); }
  { wr(_p52, (bool)((double)rd<double>(_fd41) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd42, (double)(rd<bool>(_p52) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd41))); }
  { wr(_fd43, (double)(fma_<double, 0>(rd<double>(_fd42), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd44, (double)(add_<double, 0>(rd<double>(_fd43), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd45, (double)(mul_<double, 0>(rd<double>(_fd44), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd46, (double)(sub_<double, 0>(rd<double>(_fd42), rd<double>(_fd45)))); }
  { wr(_fd47, (double)(mul_<double, 0>(rd<double>(_fd44), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd48, (double)(sub_<double, 0>(rd<double>(_fd46), rd<double>(_fd47)))); }
  { wr(_fd49, (double)(mul_<double, 0>(rd<double>(_fd48), rd<double>(_fd48)))); }
  { wr(_fd50, (double)(mul_<double, 0>(rd<double>(_fd49), rd<double>(_fd49)))); }
  { wr(_fd51, (double)(fma_<double, 0>(rd<double>(_fd48), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd52, (double)(fma_<double, 0>(rd<double>(_fd48), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd53, (double)(fma_<double, 0>(rd<double>(_fd48), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd54, (double)(fma_<double, 0>(rd<double>(_fd48), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd55, (double)(fma_<double, 0>(rd<double>(_fd48), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd56, (double)(fma_<double, 0>(rd<double>(_fd49), rd<double>(_fd52), rd<double>(_fd51)))); }
  { wr(_fd57, (double)(fma_<double, 0>(rd<double>(_fd49), rd<double>(_fd54), rd<double>(_fd53)))); }
  { wr(_fd58, (double)(fma_<double, 0>(rd<double>(_fd55), rd<double>(_fd50), rd<double>(_fd57)))); }
  { wr(_fd59, (double)(fma_<double, 0>(rd<double>(_fd50), rd<double>(_fd58), rd<double>(_fd56)))); }
  { wr(_fd60, (double)(fma_<double, 0>(rd<double>(_fd49), rd<double>(_fd59), rd<double>(_fd48)))); }
  { wr(_fd61, (double)(add_<double, 0>(rd<double>(_fd60), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd62, (double)(fma_<double, 0>(rd<double>(_fd44), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd63, (double)(add_<double, 0>(rd<double>(_fd62), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd64, (double)(add_<double, 0>(rd<double>(_fd63), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd36, (uint64_t)(rd<uint64_t>(_fd64))); }
  { wr(_rd37, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd36), (uint32_t)0x34ull))); }
  { wr(_rd38, (int64_t)(add_<int64_t>(rd<int64_t>(_rd37), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd65, (uint64_t)(rd<uint64_t>(_rd38))); }
  { wr(_fd66, (double)(mul_<double, 0>(rd<double>(_fd61), rd<double>(_fd65)))); }
  { wr(_fd67, (double)(sub_<double, 0>(rd<double>(_fd44), rd<double>(_fd63)))); }
  { wr(_fd68, (double)(add_<double, 0>(rd<double>(_fd67), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd39, (uint64_t)(rd<uint64_t>(_fd68))); }
  { wr(_rd40, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd39), (uint32_t)0x34ull))); }
  { wr(_rd41, (int64_t)(add_<int64_t>(rd<int64_t>(_rd40), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd69, (uint64_t)(rd<uint64_t>(_rd41))); }
  { wr(_fd70, (double)(mul_<double, 0>(rd<double>(_fd66), rd<double>(_fd69)))); }
  { wr(_rd18, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd35)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18), 8, 1, 267)); put<double>(p_ + 0, rd<double>(_fd70)); }
  { wr(_fd71, (double)(add_<double, 0>(rd<double>(_fd598), rd<double>(_fd70)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (8), 8, 0, 269)); wr(_fd72, (double)(get<double>(p_ + 0))); }
  { wr(_fd73, (double)(sub_<double, 0>(rd<double>(_fd72), rd<double>(_fd2)))); }
  { wr(_p53, (bool)((double)rd<double>(_fd73) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd74, (double)(rd<bool>(_p53) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd73))); }
  { wr(_p54, (bool)((double)rd<double>(_fd74) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd75, (double)(rd<bool>(_p54) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd74))); }
  { wr(_fd76, (double)(fma_<double, 0>(rd<double>(_fd75), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd77, (double)(add_<double, 0>(rd<double>(_fd76), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd78, (double)(mul_<double, 0>(rd<double>(_fd77), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd79, (double)(sub_<double, 0>(rd<double>(_fd75), rd<double>(_fd78)))); }
  { wr(_fd80, (double)(mul_<double, 0>(rd<double>(_fd77), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd81, (double)(sub_<double, 0>(rd<double>(_fd79), rd<double>(_fd80)))); }
  { wr(_fd82, (double)(mul_<double, 0>(rd<double>(_fd81), rd<double>(_fd81)))); }
  { wr(_fd83, (double)(mul_<double, 0>(rd<double>(_fd82), rd<double>(_fd82)))); }
  { wr(_fd84, (double)(fma_<double, 0>(rd<double>(_fd81), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd85, (double)(fma_<double, 0>(rd<double>(_fd81), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd86, (double)(fma_<double, 0>(rd<double>(_fd81), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd87, (double)(fma_<double, 0>(rd<double>(_fd81), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd88, (double)(fma_<double, 0>(rd<double>(_fd81), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd89, (double)(fma_<double, 0>(rd<double>(_fd82), rd<double>(_fd85), rd<double>(_fd84)))); }
  { wr(_fd90, (double)(fma_<double, 0>(rd<double>(_fd82), rd<double>(_fd87), rd<double>(_fd86)))); }
  { wr(_fd91, (double)(fma_<double, 0>(rd<double>(_fd88), rd<double>(_fd83), rd<double>(_fd90)))); }
  { wr(_fd92, (double)(fma_<double, 0>(rd<double>(_fd83), rd<double>(_fd91), rd<double>(_fd89)))); }
  { wr(_fd93, (double)(fma_<double, 0>(rd<double>(_fd82), rd<double>(_fd92), rd<double>(_fd81)))); }
  { wr(_fd94, (double)(add_<double, 0>(rd<double>(_fd93), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd95, (double)(fma_<double, 0>(rd<double>(_fd77), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd96, (double)(add_<double, 0>(rd<double>(_fd95), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd97, (double)(add_<double, 0>(rd<double>(_fd96), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd42, (uint64_t)(rd<uint64_t>(_fd97))); }
  { wr(_rd43, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd42), (uint32_t)0x34ull))); }
  { wr(_rd44, (int64_t)(add_<int64_t>(rd<int64_t>(_rd43), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd98, (uint64_t)(rd<uint64_t>(_rd44))); }
  { wr(_fd99, (double)(mul_<double, 0>(rd<double>(_fd94), rd<double>(_fd98)))); }
  { wr(_fd100, (double)(sub_<double, 0>(rd<double>(_fd77), rd<double>(_fd96)))); }
  { wr(_fd101, (double)(add_<double, 0>(rd<double>(_fd100), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd45, (uint64_t)(rd<uint64_t>(_fd101))); }
  { wr(_rd46, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd45), (uint32_t)0x34ull))); }
  { wr(_rd47, (int64_t)(add_<int64_t>(rd<int64_t>(_rd46), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd102, (uint64_t)(rd<uint64_t>(_rd47))); }
  { wr(_fd103, (double)(mul_<double, 0>(rd<double>(_fd99), rd<double>(_fd102)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (8), 8, 1, 309)); put<double>(p_ + 0, rd<double>(_fd103)); }
  { wr(_fd104, (double)(add_<double, 0>(rd<double>(_fd71), rd<double>(_fd103)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (16), 8, 0, 311)); wr(_fd105, (double)(get<double>(p_ + 0))); }
  { wr(_fd106, (double)(sub_<double, 0>(rd<double>(_fd105), rd<double>(_fd2)))); }
  { wr(_p55, (bool)((double)rd<double>(_fd106) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd107, (double)(rd<bool>(_p55) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd106))); }
  { wr(_p56, (bool)((double)rd<double>(_fd107) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd108, (double)(rd<bool>(_p56) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd107))); }
  { wr(_fd109, (double)(fma_<double, 0>(rd<double>(_fd108), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd110, (double)(add_<double, 0>(rd<double>(_fd109), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd111, (double)(mul_<double, 0>(rd<double>(_fd110), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd112, (double)(sub_<double, 0>(rd<double>(_fd108), rd<double>(_fd111)))); }
  { wr(_fd113, (double)(mul_<double, 0>(rd<double>(_fd110), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd114, (double)(sub_<double, 0>(rd<double>(_fd112), rd<double>(_fd113)))); }
  { wr(_fd115, (double)(mul_<double, 0>(rd<double>(_fd114), rd<double>(_fd114)))); }
  { wr(_fd116, (double)(mul_<double, 0>(rd<double>(_fd115), rd<double>(_fd115)))); }
  { wr(_fd117, (double)(fma_<double, 0>(rd<double>(_fd114), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd118, (double)(fma_<double, 0>(rd<double>(_fd114), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd119, (double)(fma_<double, 0>(rd<double>(_fd114), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd120, (double)(fma_<double, 0>(rd<double>(_fd114), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd121, (double)(fma_<double, 0>(rd<double>(_fd114), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd122, (double)(fma_<double, 0>(rd<double>(_fd115), rd<double>(_fd118), rd<double>(_fd117)))); }
  { wr(_fd123, (double)(fma_<double, 0>(rd<double>(_fd115), rd<double>(_fd120), rd<double>(_fd119)))); }
  { wr(_fd124, (double)(fma_<double, 0>(rd<double>(_fd121), rd<double>(_fd116), rd<double>(_fd123)))); }
  { wr(_fd125, (double)(fma_<double, 0>(rd<double>(_fd116), rd<double>(_fd124), rd<double>(_fd122)))); }
  { wr(_fd126, (double)(fma_<double, 0>(rd<double>(_fd115), rd<double>(_fd125), rd<double>(_fd114)))); }
  { wr(_fd127, (double)(add_<double, 0>(rd<double>(_fd126), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd128, (double)(fma_<double, 0>(rd<double>(_fd110), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd129, (double)(add_<double, 0>(rd<double>(_fd128), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd130, (double)(add_<double, 0>(rd<double>(_fd129), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd48, (uint64_t)(rd<uint64_t>(_fd130))); }
  { wr(_rd49, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd48), (uint32_t)0x34ull))); }
  { wr(_rd50, (int64_t)(add_<int64_t>(rd<int64_t>(_rd49), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd131, (uint64_t)(rd<uint64_t>(_rd50))); }
  { wr(_fd132, (double)(mul_<double, 0>(rd<double>(_fd127), rd<double>(_fd131)))); }
  { wr(_fd133, (double)(sub_<double, 0>(rd<double>(_fd110), rd<double>(_fd129)))); }
  { wr(_fd134, (double)(add_<double, 0>(rd<double>(_fd133), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd51, (uint64_t)(rd<uint64_t>(_fd134))); }
  { wr(_rd52, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd51), (uint32_t)0x34ull))); }
  { wr(_rd53, (int64_t)(add_<int64_t>(rd<int64_t>(_rd52), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd135, (uint64_t)(rd<uint64_t>(_rd53))); }
  { wr(_fd136, (double)(mul_<double, 0>(rd<double>(_fd132), rd<double>(_fd135)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (16), 8, 1, 351)); put<double>(p_ + 0, rd<double>(_fd136)); }
  { wr(_fd137, (double)(add_<double, 0>(rd<double>(_fd104), rd<double>(_fd136)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (24), 8, 0, 353)); wr(_fd138, (double)(get<double>(p_ + 0))); }
  { wr(_fd139, (double)(sub_<double, 0>(rd<double>(_fd138), rd<double>(_fd2)))); }
  { wr(_p57, (bool)((double)rd<double>(_fd139) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd140, (double)(rd<bool>(_p57) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd139))); }
  { wr(_p58, (bool)((double)rd<double>(_fd140) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd141, (double)(rd<bool>(_p58) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd140))); }
  { wr(_fd142, (double)(fma_<double, 0>(rd<double>(_fd141), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd143, (double)(add_<double, 0>(rd<double>(_fd142), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd144, (double)(mul_<double, 0>(rd<double>(_fd143), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd145, (double)(sub_<double, 0>(rd<double>(_fd141), rd<double>(_fd144)))); }
  { wr(_fd146, (double)(mul_<double, 0>(rd<double>(_fd143), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd147, (double)(sub_<double, 0>(rd<double>(_fd145), rd<double>(_fd146)))); }
  { wr(_fd148, (double)(mul_<double, 0>(rd<double>(_fd147), rd<double>(_fd147)))); }
  { wr(_fd149, (double)(mul_<double, 0>(rd<double>(_fd148), rd<double>(_fd148)))); }
  { wr(_fd150, (double)(fma_<double, 0>(rd<double>(_fd147), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd151, (double)(fma_<double, 0>(rd<double>(_fd147), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd152, (double)(fma_<double, 0>(rd<double>(_fd147), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd153, (double)(fma_<double, 0>(rd<double>(_fd147), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd154, (double)(fma_<double, 0>(rd<double>(_fd147), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd155, (double)(fma_<double, 0>(rd<double>(_fd148), rd<double>(_fd151), rd<double>(_fd150)))); }
  { wr(_fd156, (double)(fma_<double, 0>(rd<double>(_fd148), rd<double>(_fd153), rd<double>(_fd152)))); }
  { wr(_fd157, (double)(fma_<double, 0>(rd<double>(_fd154), rd<double>(_fd149), rd<double>(_fd156)))); }
  { wr(_fd158, (double)(fma_<double, 0>(rd<double>(_fd149), rd<double>(_fd157), rd<double>(_fd155)))); }
  { wr(_fd159, (double)(fma_<double, 0>(rd<double>(_fd148), rd<double>(_fd158), rd<double>(_fd147)))); }
  { wr(_fd160, (double)(add_<double, 0>(rd<double>(_fd159), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd161, (double)(fma_<double, 0>(rd<double>(_fd143), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd162, (double)(add_<double, 0>(rd<double>(_fd161), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd163, (double)(add_<double, 0>(rd<double>(_fd162), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd54, (uint64_t)(rd<uint64_t>(_fd163))); }
  { wr(_rd55, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd54), (uint32_t)0x34ull))); }
  { wr(_rd56, (int64_t)(add_<int64_t>(rd<int64_t>(_rd55), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd164, (uint64_t)(rd<uint64_t>(_rd56))); }
  { wr(_fd165, (double)(mul_<double, 0>(rd<double>(_fd160), rd<double>(_fd164)))); }
  { wr(_fd166, (double)(sub_<double, 0>(rd<double>(_fd143), rd<double>(_fd162)))); }
  { wr(_fd167, (double)(add_<double, 0>(rd<double>(_fd166), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd57, (uint64_t)(rd<uint64_t>(_fd167))); }
  { wr(_rd58, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd57), (uint32_t)0x34ull))); }
  { wr(_rd59, (int64_t)(add_<int64_t>(rd<int64_t>(_rd58), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd168, (uint64_t)(rd<uint64_t>(_rd59))); }
  { wr(_fd169, (double)(mul_<double, 0>(rd<double>(_fd165), rd<double>(_fd168)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (24), 8, 1, 393)); put<double>(p_ + 0, rd<double>(_fd169)); }
  { wr(_fd170, (double)(add_<double, 0>(rd<double>(_fd137), rd<double>(_fd169)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (32), 8, 0, 395)); wr(_fd171, (double)(get<double>(p_ + 0))); }
  { wr(_fd172, (double)(sub_<double, 0>(rd<double>(_fd171), rd<double>(_fd2)))); }
  { wr(_p59, (bool)((double)rd<double>(_fd172) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd173, (double)(rd<bool>(_p59) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd172))); }
  { wr(_p60, (bool)((double)rd<double>(_fd173) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd174, (double)(rd<bool>(_p60) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd173))); }
  { wr(_fd175, (double)(fma_<double, 0>(rd<double>(_fd174), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd176, (double)(add_<double, 0>(rd<double>(_fd175), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd177, (double)(mul_<double, 0>(rd<double>(_fd176), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd178, (double)(sub_<double, 0>(rd<double>(_fd174), rd<double>(_fd177)))); }
  { wr(_fd179, (double)(mul_<double, 0>(rd<double>(_fd176), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd180, (double)(sub_<double, 0>(rd<double>(_fd178), rd<double>(_fd179)))); }
  { wr(_fd181, (double)(mul_<double, 0>(rd<double>(_fd180), rd<double>(_fd180)))); }
  { wr(_fd182, (double)(mul_<double, 0>(rd<double>(_fd181), rd<double>(_fd181)))); }
  { wr(_fd183, (double)(fma_<double, 0>(rd<double>(_fd180), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd184, (double)(fma_<double, 0>(rd<double>(_fd180), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd185, (double)(fma_<double, 0>(rd<double>(_fd180), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd186, (double)(fma_<double, 0>(rd<double>(_fd180), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd187, (double)(fma_<double, 0>(rd<double>(_fd180), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd188, (double)(fma_<double, 0>(rd<double>(_fd181), rd<double>(_fd184), rd<double>(_fd183)))); }
  { wr(_fd189, (double)(fma_<double, 0>(rd<double>(_fd181), rd<double>(_fd186), rd<double>(_fd185)))); }
  { wr(_fd190, (double)(fma_<double, 0>(rd<double>(_fd187), rd<double>(_fd182), rd<double>(_fd189)))); }
  { wr(_fd191, (double)(fma_<double, 0>(rd<double>(_fd182), rd<double>(_fd190), rd<double>(_fd188)))); }
  { wr(_fd192, (double)(fma_<double, 0>(rd<double>(_fd181), rd<double>(_fd191), rd<double>(_fd180)))); }
  { wr(_fd193, (double)(add_<double, 0>(rd<double>(_fd192), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd194, (double)(fma_<double, 0>(rd<double>(_fd176), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd195, (double)(add_<double, 0>(rd<double>(_fd194), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd196, (double)(add_<double, 0>(rd<double>(_fd195), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd60, (uint64_t)(rd<uint64_t>(_fd196))); }
  { wr(_rd61, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd60), (uint32_t)0x34ull))); }
  { wr(_rd62, (int64_t)(add_<int64_t>(rd<int64_t>(_rd61), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd197, (uint64_t)(rd<uint64_t>(_rd62))); }
  { wr(_fd198, (double)(mul_<double, 0>(rd<double>(_fd193), rd<double>(_fd197)))); }
  { wr(_fd199, (double)(sub_<double, 0>(rd<double>(_fd176), rd<double>(_fd195)))); }
  { wr(_fd200, (double)(add_<double, 0>(rd<double>(_fd199), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd63, (uint64_t)(rd<uint64_t>(_fd200))); }
  { wr(_rd64, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd63), (uint32_t)0x34ull))); }
  { wr(_rd65, (int64_t)(add_<int64_t>(rd<int64_t>(_rd64), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd201, (uint64_t)(rd<uint64_t>(_rd65))); }
  { wr(_fd202, (double)(mul_<double, 0>(rd<double>(_fd198), rd<double>(_fd201)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (32), 8, 1, 435)); put<double>(p_ + 0, rd<double>(_fd202)); }
  { wr(_fd203, (double)(add_<double, 0>(rd<double>(_fd170), rd<double>(_fd202)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (40), 8, 0, 437)); wr(_fd204, (double)(get<double>(p_ + 0))); }
  { wr(_fd205, (double)(sub_<double, 0>(rd<double>(_fd204), rd<double>(_fd2)))); }
  { wr(_p61, (bool)((double)rd<double>(_fd205) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd206, (double)(rd<bool>(_p61) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd205))); }
  { wr(_p62, (bool)((double)rd<double>(_fd206) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd207, (double)(rd<bool>(_p62) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd206))); }
  { wr(_fd208, (double)(fma_<double, 0>(rd<double>(_fd207), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd209, (double)(add_<double, 0>(rd<double>(_fd208), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd210, (double)(mul_<double, 0>(rd<double>(_fd209), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd211, (double)(sub_<double, 0>(rd<double>(_fd207), rd<double>(_fd210)))); }
  { wr(_fd212, (double)(mul_<double, 0>(rd<double>(_fd209), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd213, (double)(sub_<double, 0>(rd<double>(_fd211), rd<double>(_fd212)))); }
  { wr(_fd214, (double)(mul_<double, 0>(rd<double>(_fd213), rd<double>(_fd213)))); }
  { wr(_fd215, (double)(mul_<double, 0>(rd<double>(_fd214), rd<double>(_fd214)))); }
  { wr(_fd216, (double)(fma_<double, 0>(rd<double>(_fd213), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd217, (double)(fma_<double, 0>(rd<double>(_fd213), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd218, (double)(fma_<double, 0>(rd<double>(_fd213), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd219, (double)(fma_<double, 0>(rd<double>(_fd213), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd220, (double)(fma_<double, 0>(rd<double>(_fd213), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd221, (double)(fma_<double, 0>(rd<double>(_fd214), rd<double>(_fd217), rd<double>(_fd216)))); }
  { wr(_fd222, (double)(fma_<double, 0>(rd<double>(_fd214), rd<double>(_fd219), rd<double>(_fd218)))); }
  { wr(_fd223, (double)(fma_<double, 0>(rd<double>(_fd220), rd<double>(_fd215), rd<double>(_fd222)))); }
  { wr(_fd224, (double)(fma_<double, 0>(rd<double>(_fd215), rd<double>(_fd223), rd<double>(_fd221)))); }
  { wr(_fd225, (double)(fma_<double, 0>(rd<double>(_fd214), rd<double>(_fd224), rd<double>(_fd213)))); }
  { wr(_fd226, (double)(add_<double, 0>(rd<double>(_fd225), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd227, (double)(fma_<double, 0>(rd<double>(_fd209), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd228, (double)(add_<double, 0>(rd<double>(_fd227), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd229, (double)(add_<double, 0>(rd<double>(_fd228), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd66, (uint64_t)(rd<uint64_t>(_fd229))); }
  { wr(_rd67, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd66), (uint32_t)0x34ull))); }
  { wr(_rd68, (int64_t)(add_<int64_t>(rd<int64_t>(_rd67), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd230, (uint64_t)(rd<uint64_t>(_rd68))); }
  { wr(_fd231, (double)(mul_<double, 0>(rd<double>(_fd226), rd<double>(_fd230)))); }
  { wr(_fd232, (double)(sub_<double, 0>(rd<double>(_fd209), rd<double>(_fd228)))); }
  { wr(_fd233, (double)(add_<double, 0>(rd<double>(_fd232), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd69, (uint64_t)(rd<uint64_t>(_fd233))); }
  { wr(_rd70, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd69), (uint32_t)0x34ull))); }
  { wr(_rd71, (int64_t)(add_<int64_t>(rd<int64_t>(_rd70), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd234, (uint64_t)(rd<uint64_t>(_rd71))); }
  { wr(_fd235, (double)(mul_<double, 0>(rd<double>(_fd231), rd<double>(_fd234)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (40), 8, 1, 477)); put<double>(p_ + 0, rd<double>(_fd235)); }
  { wr(_fd236, (double)(add_<double, 0>(rd<double>(_fd203), rd<double>(_fd235)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (48), 8, 0, 479)); wr(_fd237, (double)(get<double>(p_ + 0))); }
  { wr(_fd238, (double)(sub_<double, 0>(rd<double>(_fd237), rd<double>(_fd2)))); }
  { wr(_p63, (bool)((double)rd<double>(_fd238) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd239, (double)(rd<bool>(_p63) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd238))); }
  { wr(_p64, (bool)((double)rd<double>(_fd239) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd240, (double)(rd<bool>(_p64) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd239))); }
  { wr(_fd241, (double)(fma_<double, 0>(rd<double>(_fd240), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd242, (double)(add_<double, 0>(rd<double>(_fd241), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd243, (double)(mul_<double, 0>(rd<double>(_fd242), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd244, (double)(sub_<double, 0>(rd<double>(_fd240), rd<double>(_fd243)))); }
  { wr(_fd245, (double)(mul_<double, 0>(rd<double>(_fd242), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd246, (double)(sub_<double, 0>(rd<double>(_fd244), rd<double>(_fd245)))); }
  { wr(_fd247, (double)(mul_<double, 0>(rd<double>(_fd246), rd<double>(_fd246)))); }
  { wr(_fd248, (double)(mul_<double, 0>(rd<double>(_fd247), rd<double>(_fd247)))); }
  { wr(_fd249, (double)(fma_<double, 0>(rd<double>(_fd246), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd250, (double)(fma_<double, 0>(rd<double>(_fd246), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd251, (double)(fma_<double, 0>(rd<double>(_fd246), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd252, (double)(fma_<double, 0>(rd<double>(_fd246), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd253, (double)(fma_<double, 0>(rd<double>(_fd246), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd254, (double)(fma_<double, 0>(rd<double>(_fd247), rd<double>(_fd250), rd<double>(_fd249)))); }
  { wr(_fd255, (double)(fma_<double, 0>(rd<double>(_fd247), rd<double>(_fd252), rd<double>(_fd251)))); }
  { wr(_fd256, (double)(fma_<double, 0>(rd<double>(_fd253), rd<double>(_fd248), rd<double>(_fd255)))); }
  { wr(_fd257, (double)(fma_<double, 0>(rd<double>(_fd248), rd<double>(_fd256), rd<double>(_fd254)))); }
  { wr(_fd258, (double)(fma_<double, 0>(rd<double>(_fd247), rd<double>(_fd257), rd<double>(_fd246)))); }
  { wr(_fd259, (double)(add_<double, 0>(rd<double>(_fd258), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd260, (double)(fma_<double, 0>(rd<double>(_fd242), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd261, (double)(add_<double, 0>(rd<double>(_fd260), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd262, (double)(add_<double, 0>(rd<double>(_fd261), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd72, (uint64_t)(rd<uint64_t>(_fd262))); }
  { wr(_rd73, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd72), (uint32_t)0x34ull))); }
  { wr(_rd74, (int64_t)(add_<int64_t>(rd<int64_t>(_rd73), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd263, (uint64_t)(rd<uint64_t>(_rd74))); }
  { wr(_fd264, (double)(mul_<double, 0>(rd<double>(_fd259), rd<double>(_fd263)))); }
  { wr(_fd265, (double)(sub_<double, 0>(rd<double>(_fd242), rd<double>(_fd261)))); }
  { wr(_fd266, (double)(add_<double, 0>(rd<double>(_fd265), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd75, (uint64_t)(rd<uint64_t>(_fd266))); }
  { wr(_rd76, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd75), (uint32_t)0x34ull))); }
  { wr(_rd77, (int64_t)(add_<int64_t>(rd<int64_t>(_rd76), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd267, (uint64_t)(rd<uint64_t>(_rd77))); }
  { wr(_fd268, (double)(mul_<double, 0>(rd<double>(_fd264), rd<double>(_fd267)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (48), 8, 1, 519)); put<double>(p_ + 0, rd<double>(_fd268)); }
  { wr(_fd269, (double)(add_<double, 0>(rd<double>(_fd236), rd<double>(_fd268)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (56), 8, 0, 521)); wr(_fd270, (double)(get<double>(p_ + 0))); }
  { wr(_fd271, (double)(sub_<double, 0>(rd<double>(_fd270), rd<double>(_fd2)))); }
  { wr(_p65, (bool)((double)rd<double>(_fd271) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd272, (double)(rd<bool>(_p65) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd271))); }
  { wr(_p66, (bool)((double)rd<double>(_fd272) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd273, (double)(rd<bool>(_p66) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd272))); }
  { wr(_fd274, (double)(fma_<double, 0>(rd<double>(_fd273), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd275, (double)(add_<double, 0>(rd<double>(_fd274), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd276, (double)(mul_<double, 0>(rd<double>(_fd275), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd277, (double)(sub_<double, 0>(rd<double>(_fd273), rd<double>(_fd276)))); }
  { wr(_fd278, (double)(mul_<double, 0>(rd<double>(_fd275), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd279, (double)(sub_<double, 0>(rd<double>(_fd277), rd<double>(_fd278)))); }
  { wr(_fd280, (double)(mul_<double, 0>(rd<double>(_fd279), rd<double>(_fd279)))); }
  { wr(_fd281, (double)(mul_<double, 0>(rd<double>(_fd280), rd<double>(_fd280)))); }
  { wr(_fd282, (double)(fma_<double, 0>(rd<double>(_fd279), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd283, (double)(fma_<double, 0>(rd<double>(_fd279), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd284, (double)(fma_<double, 0>(rd<double>(_fd279), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd285, (double)(fma_<double, 0>(rd<double>(_fd279), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd286, (double)(fma_<double, 0>(rd<double>(_fd279), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd287, (double)(fma_<double, 0>(rd<double>(_fd280), rd<double>(_fd283), rd<double>(_fd282)))); }
  { wr(_fd288, (double)(fma_<double, 0>(rd<double>(_fd280), rd<double>(_fd285), rd<double>(_fd284)))); }
  { wr(_fd289, (double)(fma_<double, 0>(rd<double>(_fd286), rd<double>(_fd281), rd<double>(_fd288)))); }
  { wr(_fd290, (double)(fma_<double, 0>(rd<double>(_fd281), rd<double>(_fd289), rd<double>(_fd287)))); }
  { wr(_fd291, (double)(fma_<double, 0>(rd<double>(_fd280), rd<double>(_fd290), rd<double>(_fd279)))); }
  { wr(_fd292, (double)(add_<double, 0>(rd<double>(_fd291), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd293, (double)(fma_<double, 0>(rd<double>(_fd275), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd294, (double)(add_<double, 0>(rd<double>(_fd293), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd295, (double)(add_<double, 0>(rd<double>(_fd294), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd78, (uint64_t)(rd<uint64_t>(_fd295))); }
  { wr(_rd79, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd78), (uint32_t)0x34ull))); }
  { wr(_rd80, (int64_t)(add_<int64_t>(rd<int64_t>(_rd79), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd296, (uint64_t)(rd<uint64_t>(_rd80))); }
  { wr(_fd297, (double)(mul_<double, 0>(rd<double>(_fd292), rd<double>(_fd296)))); }
  { wr(_fd298, (double)(sub_<double, 0>(rd<double>(_fd275), rd<double>(_fd294)))); }
  { wr(_fd299, (double)(add_<double, 0>(rd<double>(_fd298), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd81, (uint64_t)(rd<uint64_t>(_fd299))); }
  { wr(_rd82, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd81), (uint32_t)0x34ull))); }
  { wr(_rd83, (int64_t)(add_<int64_t>(rd<int64_t>(_rd82), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd300, (uint64_t)(rd<uint64_t>(_rd83))); }
  { wr(_fd301, (double)(mul_<double, 0>(rd<double>(_fd297), rd<double>(_fd300)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (56), 8, 1, 561)); put<double>(p_ + 0, rd<double>(_fd301)); }
  { wr(_fd302, (double)(add_<double, 0>(rd<double>(_fd269), rd<double>(_fd301)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (64), 8, 0, 563)); wr(_fd303, (double)(get<double>(p_ + 0))); }
  { wr(_fd304, (double)(sub_<double, 0>(rd<double>(_fd303), rd<double>(_fd2)))); }
  { wr(_p67, (bool)((double)rd<double>(_fd304) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd305, (double)(rd<bool>(_p67) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd304))); }
  { wr(_p68, (bool)((double)rd<double>(_fd305) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd306, (double)(rd<bool>(_p68) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd305))); }
  { wr(_fd307, (double)(fma_<double, 0>(rd<double>(_fd306), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd308, (double)(add_<double, 0>(rd<double>(_fd307), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd309, (double)(mul_<double, 0>(rd<double>(_fd308), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd310, (double)(sub_<double, 0>(rd<double>(_fd306), rd<double>(_fd309)))); }
  { wr(_fd311, (double)(mul_<double, 0>(rd<double>(_fd308), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd312, (double)(sub_<double, 0>(rd<double>(_fd310), rd<double>(_fd311)))); }
  { wr(_fd313, (double)(mul_<double, 0>(rd<double>(_fd312), rd<double>(_fd312)))); }
  { wr(_fd314, (double)(mul_<double, 0>(rd<double>(_fd313), rd<double>(_fd313)))); }
  { wr(_fd315, (double)(fma_<double, 0>(rd<double>(_fd312), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd316, (double)(fma_<double, 0>(rd<double>(_fd312), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd317, (double)(fma_<double, 0>(rd<double>(_fd312), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd318, (double)(fma_<double, 0>(rd<double>(_fd312), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd319, (double)(fma_<double, 0>(rd<double>(_fd312), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd320, (double)(fma_<double, 0>(rd<double>(_fd313), rd<double>(_fd316), rd<double>(_fd315)))); }
  { wr(_fd321, (double)(fma_<double, 0>(rd<double>(_fd313), rd<double>(_fd318), rd<double>(_fd317)))); }
  { wr(_fd322, (double)(fma_<double, 0>(rd<double>(_fd319), rd<double>(_fd314), rd<double>(_fd321)))); }
  { wr(_fd323, (double)(fma_<double, 0>(rd<double>(_fd314), rd<double>(_fd322), rd<double>(_fd320)))); }
  { wr(_fd324, (double)(fma_<double, 0>(rd<double>(_fd313), rd<double>(_fd323), rd<double>(_fd312)))); }
  { wr(_fd325, (double)(add_<double, 0>(rd<double>(_fd324), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd326, (double)(fma_<double, 0>(rd<double>(_fd308), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd327, (double)(add_<double, 0>(rd<double>(_fd326), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd328, (double)(add_<double, 0>(rd<double>(_fd327), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd84, (uint64_t)(rd<uint64_t>(_fd328))); }
  { wr(_rd85, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd84), (uint32_t)0x34ull))); }
  { wr(_rd86, (int64_t)(add_<int64_t>(rd<int64_t>(_rd85), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd329, (uint64_t)(rd<uint64_t>(_rd86))); }
  { wr(_fd330, (double)(mul_<double, 0>(rd<double>(_fd325), rd<double>(_fd329)))); }
  { wr(_fd331, (double)(sub_<double, 0>(rd<double>(_fd308), rd<double>(_fd327)))); }
  { wr(_fd332, (double)(add_<double, 0>(rd<double>(_fd331), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd87, (uint64_t)(rd<uint64_t>(_fd332))); }
  { wr(_rd88, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd87), (uint32_t)0x34ull))); }
  { wr(_rd89, (int64_t)(add_<int64_t>(rd<int64_t>(_rd88), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd333, (uint64_t)(rd<uint64_t>(_rd89))); }
  { wr(_fd334, (double)(mul_<double, 0>(rd<double>(_fd330), rd<double>(_fd333)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (64), 8, 1, 603)); put<double>(p_ + 0, rd<double>(_fd334)); }
  { wr(_fd335, (double)(add_<double, 0>(rd<double>(_fd302), rd<double>(_fd334)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (72), 8, 0, 605)); wr(_fd336, (double)(get<double>(p_ + 0))); }
  { wr(_fd337, (double)(sub_<double, 0>(rd<double>(_fd336), rd<double>(_fd2)))); }
  { wr(_p69, (bool)((double)rd<double>(_fd337) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd338, (double)(rd<bool>(_p69) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd337))); }
  { wr(_p70, (bool)((double)rd<double>(_fd338) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd339, (double)(rd<bool>(_p70) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd338))); }
  { wr(_fd340, (double)(fma_<double, 0>(rd<double>(_fd339), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd341, (double)(add_<double, 0>(rd<double>(_fd340), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd342, (double)(mul_<double, 0>(rd<double>(_fd341), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd343, (double)(sub_<double, 0>(rd<double>(_fd339), rd<double>(_fd342)))); }
  { wr(_fd344, (double)(mul_<double, 0>(rd<double>(_fd341), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd345, (double)(sub_<double, 0>(rd<double>(_fd343), rd<double>(_fd344)))); }
  { wr(_fd346, (double)(mul_<double, 0>(rd<double>(_fd345), rd<double>(_fd345)))); }
  { wr(_fd347, (double)(mul_<double, 0>(rd<double>(_fd346), rd<double>(_fd346)))); }
  { wr(_fd348, (double)(fma_<double, 0>(rd<double>(_fd345), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd349, (double)(fma_<double, 0>(rd<double>(_fd345), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd350, (double)(fma_<double, 0>(rd<double>(_fd345), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd351, (double)(fma_<double, 0>(rd<double>(_fd345), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd352, (double)(fma_<double, 0>(rd<double>(_fd345), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd353, (double)(fma_<double, 0>(rd<double>(_fd346), rd<double>(_fd349), rd<double>(_fd348)))); }
  { wr(_fd354, (double)(fma_<double, 0>(rd<double>(_fd346), rd<double>(_fd351), rd<double>(_fd350)))); }
  { wr(_fd355, (double)(fma_<double, 0>(rd<double>(_fd352), rd<double>(_fd347), rd<double>(_fd354)))); }
  { wr(_fd356, (double)(fma_<double, 0>(rd<double>(_fd347), rd<double>(_fd355), rd<double>(_fd353)))); }
  { wr(_fd357, (double)(fma_<double, 0>(rd<double>(_fd346), rd<double>(_fd356), rd<double>(_fd345)))); }
  { wr(_fd358, (double)(add_<double, 0>(rd<double>(_fd357), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd359, (double)(fma_<double, 0>(rd<double>(_fd341), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd360, (double)(add_<double, 0>(rd<double>(_fd359), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd361, (double)(add_<double, 0>(rd<double>(_fd360), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd90, (uint64_t)(rd<uint64_t>(_fd361))); }
  { wr(_rd91, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd90), (uint32_t)0x34ull))); }
  { wr(_rd92, (int64_t)(add_<int64_t>(rd<int64_t>(_rd91), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd362, (uint64_t)(rd<uint64_t>(_rd92))); }
  { wr(_fd363, (double)(mul_<double, 0>(rd<double>(_fd358), rd<double>(_fd362)))); }
  { wr(_fd364, (double)(sub_<double, 0>(rd<double>(_fd341), rd<double>(_fd360)))); }
  { wr(_fd365, (double)(add_<double, 0>(rd<double>(_fd364), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd93, (uint64_t)(rd<uint64_t>(_fd365))); }
  { wr(_rd94, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd93), (uint32_t)0x34ull))); }
  { wr(_rd95, (int64_t)(add_<int64_t>(rd<int64_t>(_rd94), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd366, (uint64_t)(rd<uint64_t>(_rd95))); }
  { wr(_fd367, (double)(mul_<double, 0>(rd<double>(_fd363), rd<double>(_fd366)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (72), 8, 1, 645)); put<double>(p_ + 0, rd<double>(_fd367)); }
  { wr(_fd368, (double)(add_<double, 0>(rd<double>(_fd335), rd<double>(_fd367)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (80), 8, 0, 647)); wr(_fd369, (double)(get<double>(p_ + 0))); }
  { wr(_fd370, (double)(sub_<double, 0>(rd<double>(_fd369), rd<double>(_fd2)))); }
  { wr(_p71, (bool)((double)rd<double>(_fd370) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd371, (double)(rd<bool>(_p71) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd370))); }
  { wr(_p72, (bool)((double)rd<double>(_fd371) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd372, (double)(rd<bool>(_p72) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd371))); }
  { wr(_fd373, (double)(fma_<double, 0>(rd<double>(_fd372), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd374, (double)(add_<double, 0>(rd<double>(_fd373), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd375, (double)(mul_<double, 0>(rd<double>(_fd374), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd376, (double)(sub_<double, 0>(rd<double>(_fd372), rd<double>(_fd375)))); }
  { wr(_fd377, (double)(mul_<double, 0>(rd<double>(_fd374), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd378, (double)(sub_<double, 0>(rd<double>(_fd376), rd<double>(_fd377)))); }
  { wr(_fd379, (double)(mul_<double, 0>(rd<double>(_fd378), rd<double>(_fd378)))); }
  { wr(_fd380, (double)(mul_<double, 0>(rd<double>(_fd379), rd<double>(_fd379)))); }
  { wr(_fd381, (double)(fma_<double, 0>(rd<double>(_fd378), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd382, (double)(fma_<double, 0>(rd<double>(_fd378), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd383, (double)(fma_<double, 0>(rd<double>(_fd378), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd384, (double)(fma_<double, 0>(rd<double>(_fd378), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd385, (double)(fma_<double, 0>(rd<double>(_fd378), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd386, (double)(fma_<double, 0>(rd<double>(_fd379), rd<double>(_fd382), rd<double>(_fd381)))); }
  { wr(_fd387, (double)(fma_<double, 0>(rd<double>(_fd379), rd<double>(_fd384), rd<double>(_fd383)))); }
  { wr(_fd388, (double)(fma_<double, 0>(rd<double>(_fd385), rd<double>(_fd380), rd<double>(_fd387)))); }
  { wr(_fd389, (double)(fma_<double, 0>(rd<double>(_fd380), rd<double>(_fd388), rd<double>(_fd386)))); }
  { wr(_fd390, (double)(fma_<double, 0>(rd<double>(_fd379), rd<double>(_fd389), rd<double>(_fd378)))); }
  { wr(_fd391, (double)(add_<double, 0>(rd<double>(_fd390), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd392, (double)(fma_<double, 0>(rd<double>(_fd374), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd393, (double)(add_<double, 0>(rd<double>(_fd392), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd394, (double)(add_<double, 0>(rd<double>(_fd393), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd96, (uint64_t)(rd<uint64_t>(_fd394))); }
  { wr(_rd97, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd96), (uint32_t)0x34ull))); }
  { wr(_rd98, (int64_t)(add_<int64_t>(rd<int64_t>(_rd97), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd395, (uint64_t)(rd<uint64_t>(_rd98))); }
  { wr(_fd396, (double)(mul_<double, 0>(rd<double>(_fd391), rd<double>(_fd395)))); }
  { wr(_fd397, (double)(sub_<double, 0>(rd<double>(_fd374), rd<double>(_fd393)))); }
  { wr(_fd398, (double)(add_<double, 0>(rd<double>(_fd397), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd99, (uint64_t)(rd<uint64_t>(_fd398))); }
  { wr(_rd100, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd99), (uint32_t)0x34ull))); }
  { wr(_rd101, (int64_t)(add_<int64_t>(rd<int64_t>(_rd100), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd399, (uint64_t)(rd<uint64_t>(_rd101))); }
  { wr(_fd400, (double)(mul_<double, 0>(rd<double>(_fd396), rd<double>(_fd399)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (80), 8, 1, 687)); put<double>(p_ + 0, rd<double>(_fd400)); }
  { wr(_fd401, (double)(add_<double, 0>(rd<double>(_fd368), rd<double>(_fd400)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (88), 8, 0, 689)); wr(_fd402, (double)(get<double>(p_ + 0))); }
  { wr(_fd403, (double)(sub_<double, 0>(rd<double>(_fd402), rd<double>(_fd2)))); }
  { wr(_p73, (bool)((double)rd<double>(_fd403) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd404, (double)(rd<bool>(_p73) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd403))); }
  { wr(_p74, (bool)((double)rd<double>(_fd404) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd405, (double)(rd<bool>(_p74) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd404))); }
  { wr(_fd406, (double)(fma_<double, 0>(rd<double>(_fd405), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd407, (double)(add_<double, 0>(rd<double>(_fd406), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd408, (double)(mul_<double, 0>(rd<double>(_fd407), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd409, (double)(sub_<double, 0>(rd<double>(_fd405), rd<double>(_fd408)))); }
  { wr(_fd410, (double)(mul_<double, 0>(rd<double>(_fd407), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd411, (double)(sub_<double, 0>(rd<double>(_fd409), rd<double>(_fd410)))); }
  { wr(_fd412, (double)(mul_<double, 0>(rd<double>(_fd411), rd<double>(_fd411)))); }
  { wr(_fd413, (double)(mul_<double, 0>(rd<double>(_fd412), rd<double>(_fd412)))); }
  { wr(_fd414, (double)(fma_<double, 0>(rd<double>(_fd411), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd415, (double)(fma_<double, 0>(rd<double>(_fd411), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd416, (double)(fma_<double, 0>(rd<double>(_fd411), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd417, (double)(fma_<double, 0>(rd<double>(_fd411), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd418, (double)(fma_<double, 0>(rd<double>(_fd411), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd419, (double)(fma_<double, 0>(rd<double>(_fd412), rd<double>(_fd415), rd<double>(_fd414)))); }
  { wr(_fd420, (double)(fma_<double, 0>(rd<double>(_fd412), rd<double>(_fd417), rd<double>(_fd416)))); }
  { wr(_fd421, (double)(fma_<double, 0>(rd<double>(_fd418), rd<double>(_fd413), rd<double>(_fd420)))); }
  { wr(_fd422, (double)(fma_<double, 0>(rd<double>(_fd413), rd<double>(_fd421), rd<double>(_fd419)))); }
  { wr(_fd423, (double)(fma_<double, 0>(rd<double>(_fd412), rd<double>(_fd422), rd<double>(_fd411)))); }
  { wr(_fd424, (double)(add_<double, 0>(rd<double>(_fd423), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd425, (double)(fma_<double, 0>(rd<double>(_fd407), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd426, (double)(add_<double, 0>(rd<double>(_fd425), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd427, (double)(add_<double, 0>(rd<double>(_fd426), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd102, (uint64_t)(rd<uint64_t>(_fd427))); }
  { wr(_rd103, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd102), (uint32_t)0x34ull))); }
  { wr(_rd104, (int64_t)(add_<int64_t>(rd<int64_t>(_rd103), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd428, (uint64_t)(rd<uint64_t>(_rd104))); }
  { wr(_fd429, (double)(mul_<double, 0>(rd<double>(_fd424), rd<double>(_fd428)))); }
  { wr(_fd430, (double)(sub_<double, 0>(rd<double>(_fd407), rd<double>(_fd426)))); }
  { wr(_fd431, (double)(add_<double, 0>(rd<double>(_fd430), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd105, (uint64_t)(rd<uint64_t>(_fd431))); }
  { wr(_rd106, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd105), (uint32_t)0x34ull))); }
  { wr(_rd107, (int64_t)(add_<int64_t>(rd<int64_t>(_rd106), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd432, (uint64_t)(rd<uint64_t>(_rd107))); }
  { wr(_fd433, (double)(mul_<double, 0>(rd<double>(_fd429), rd<double>(_fd432)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (88), 8, 1, 729)); put<double>(p_ + 0, rd<double>(_fd433)); }
  { wr(_fd434, (double)(add_<double, 0>(rd<double>(_fd401), rd<double>(_fd433)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (96), 8, 0, 731)); wr(_fd435, (double)(get<double>(p_ + 0))); }
  { wr(_fd436, (double)(sub_<double, 0>(rd<double>(_fd435), rd<double>(_fd2)))); }
  { wr(_p75, (bool)((double)rd<double>(_fd436) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd437, (double)(rd<bool>(_p75) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd436))); }
  { wr(_p76, (bool)((double)rd<double>(_fd437) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd438, (double)(rd<bool>(_p76) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd437))); }
  { wr(_fd439, (double)(fma_<double, 0>(rd<double>(_fd438), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd440, (double)(add_<double, 0>(rd<double>(_fd439), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd441, (double)(mul_<double, 0>(rd<double>(_fd440), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd442, (double)(sub_<double, 0>(rd<double>(_fd438), rd<double>(_fd441)))); }
  { wr(_fd443, (double)(mul_<double, 0>(rd<double>(_fd440), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd444, (double)(sub_<double, 0>(rd<double>(_fd442), rd<double>(_fd443)))); }
  { wr(_fd445, (double)(mul_<double, 0>(rd<double>(_fd444), rd<double>(_fd444)))); }
  { wr(_fd446, (double)(mul_<double, 0>(rd<double>(_fd445), rd<double>(_fd445)))); }
  { wr(_fd447, (double)(fma_<double, 0>(rd<double>(_fd444), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd448, (double)(fma_<double, 0>(rd<double>(_fd444), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd449, (double)(fma_<double, 0>(rd<double>(_fd444), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd450, (double)(fma_<double, 0>(rd<double>(_fd444), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd451, (double)(fma_<double, 0>(rd<double>(_fd444), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd452, (double)(fma_<double, 0>(rd<double>(_fd445), rd<double>(_fd448), rd<double>(_fd447)))); }
  { wr(_fd453, (double)(fma_<double, 0>(rd<double>(_fd445), rd<double>(_fd450), rd<double>(_fd449)))); }
  { wr(_fd454, (double)(fma_<double, 0>(rd<double>(_fd451), rd<double>(_fd446), rd<double>(_fd453)))); }
  { wr(_fd455, (double)(fma_<double, 0>(rd<double>(_fd446), rd<double>(_fd454), rd<double>(_fd452)))); }
  { wr(_fd456, (double)(fma_<double, 0>(rd<double>(_fd445), rd<double>(_fd455), rd<double>(_fd444)))); }
  { wr(_fd457, (double)(add_<double, 0>(rd<double>(_fd456), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd458, (double)(fma_<double, 0>(rd<double>(_fd440), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd459, (double)(add_<double, 0>(rd<double>(_fd458), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd460, (double)(add_<double, 0>(rd<double>(_fd459), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd108, (uint64_t)(rd<uint64_t>(_fd460))); }
  { wr(_rd109, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd108), (uint32_t)0x34ull))); }
  { wr(_rd110, (int64_t)(add_<int64_t>(rd<int64_t>(_rd109), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd461, (uint64_t)(rd<uint64_t>(_rd110))); }
  { wr(_fd462, (double)(mul_<double, 0>(rd<double>(_fd457), rd<double>(_fd461)))); }
  { wr(_fd463, (double)(sub_<double, 0>(rd<double>(_fd440), rd<double>(_fd459)))); }
  { wr(_fd464, (double)(add_<double, 0>(rd<double>(_fd463), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd111, (uint64_t)(rd<uint64_t>(_fd464))); }
  { wr(_rd112, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd111), (uint32_t)0x34ull))); }
  { wr(_rd113, (int64_t)(add_<int64_t>(rd<int64_t>(_rd112), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd465, (uint64_t)(rd<uint64_t>(_rd113))); }
  { wr(_fd466, (double)(mul_<double, 0>(rd<double>(_fd462), rd<double>(_fd465)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (96), 8, 1, 771)); put<double>(p_ + 0, rd<double>(_fd466)); }
  { wr(_fd467, (double)(add_<double, 0>(rd<double>(_fd434), rd<double>(_fd466)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd17) + (104), 8, 0, 773)); wr(_fd468, (double)(get<double>(p_ + 0))); }
  { wr(_fd469, (double)(sub_<double, 0>(rd<double>(_fd468), rd<double>(_fd2)))); }
  { wr(_p77, (bool)((double)rd<double>(_fd469) < (double)bits<double>(0xC087500000000000ull))); }
  { wr(_fd470, (double)(rd<bool>(_p77) ? bits<double>(0xC087500000000000ull) : rd<double>(_fd469))); }
  { wr(_p78, (bool)((double)rd<double>(_fd470) > (double)bits<double>(0x4086300000000000ull))); }
  { wr(_fd471, (double)(rd<bool>(_p78) ? bits<double>(0x4086300000000000ull) : rd<double>(_fd470))); }
  { wr(_fd472, (double)(fma_<double, 0>(rd<double>(_fd471), bits<double>(0x3FF71547652B82FEull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd473, (double)(add_<double, 0>(rd<double>(_fd472), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd474, (double)(mul_<double, 0>(rd<double>(_fd473), bits<double>(0x3FE62E42FEFA3800ull)))); }
  { wr(_fd475, (double)(sub_<double, 0>(rd<double>(_fd471), rd<double>(_fd474)))); }
  { wr(_fd476, (double)(mul_<double, 0>(rd<double>(_fd473), bits<double>(0x3D2EF35793C76730ull)))); }
  { wr(_fd477, (double)(sub_<double, 0>(rd<double>(_fd475), rd<double>(_fd476)))); }
  { wr(_fd478, (double)(mul_<double, 0>(rd<double>(_fd477), rd<double>(_fd477)))); }
  { wr(_fd479, (double)(mul_<double, 0>(rd<double>(_fd478), rd<double>(_fd478)))); }
  { wr(_fd480, (double)(fma_<double, 0>(rd<double>(_fd477), bits<double>(0x3FC5555555555539ull), bits<double>(0x3FE0000000000005ull)))); }
  { wr(_fd481, (double)(fma_<double, 0>(rd<double>(_fd477), bits<double>(0x3F81111111118F94ull), bits<double>(0x3FA55555555522C0ull)))); }
  { wr(_fd482, (double)(fma_<double, 0>(rd<double>(_fd477), bits<double>(0x3F2A01A01751AF2Eull), bits<double>(0x3F56C16C17ED94FEull)))); }
  { wr(_fd483, (double)(fma_<double, 0>(rd<double>(_fd477), bits<double>(0x3EC71DE87FE9334Bull), bits<double>(0x3EFA019A776CFCA5ull)))); }
  { wr(_fd484, (double)(fma_<double, 0>(rd<double>(_fd477), bits<double>(0x3E5AE6BAA7141257ull), bits<double>(0x3E928A1D815ABC0Full)))); }
  { wr(_fd485, (double)(fma_<double, 0>(rd<double>(_fd478), rd<double>(_fd481), rd<double>(_fd480)))); }
  { wr(_fd486, (double)(fma_<double, 0>(rd<double>(_fd478), rd<double>(_fd483), rd<double>(_fd482)))); }
  { wr(_fd487, (double)(fma_<double, 0>(rd<double>(_fd484), rd<double>(_fd479), rd<double>(_fd486)))); }
  { wr(_fd488, (double)(fma_<double, 0>(rd<double>(_fd479), rd<double>(_fd487), rd<double>(_fd485)))); }
  { wr(_fd489, (double)(fma_<double, 0>(rd<double>(_fd478), rd<double>(_fd488), rd<double>(_fd477)))); }
  { wr(_fd490, (double)(add_<double, 0>(rd<double>(_fd489), bits<double>(0x3FF0000000000000ull)))); }
  { wr(_fd491, (double)(fma_<double, 0>(rd<double>(_fd473), bits<double>(0x3FE0000000000000ull), bits<double>(0x4338000000000000ull)))); }
  { wr(_fd492, (double)(add_<double, 0>(rd<double>(_fd491), bits<double>(0xC338000000000000ull)))); }
  { wr(_fd493, (double)(add_<double, 0>(rd<double>(_fd492), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd114, (uint64_t)(rd<uint64_t>(_fd493))); }
  { wr(_rd115, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd114), (uint32_t)0x34ull))); }
  { wr(_rd116, (int64_t)(add_<int64_t>(rd<int64_t>(_rd115), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd494, (uint64_t)(rd<uint64_t>(_rd116))); }
  { wr(_fd495, (double)(mul_<double, 0>(rd<double>(_fd490), rd<double>(_fd494)))); }
  { wr(_fd496, (double)(sub_<double, 0>(rd<double>(_fd473), rd<double>(_fd492)))); }
  { wr(_fd497, (double)(add_<double, 0>(rd<double>(_fd496), bits<double>(0x4338000000000000ull)))); }
  { wr(_rd117, (uint64_t)(rd<uint64_t>(_fd497))); }
  { wr(_rd118, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd117), (uint32_t)0x34ull))); }
  { wr(_rd119, (int64_t)(add_<int64_t>(rd<int64_t>(_rd118), (int64_t)0x3ff0000000000000ull))); }
  { wr(_fd498, (uint64_t)(rd<uint64_t>(_rd119))); }
  { wr(_fd499, (double)(mul_<double, 0>(rd<double>(_fd495), rd<double>(_fd498)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd18) + (104), 8, 1, 813)); put<double>(p_ + 0, rd<double>(_fd499)); }
  { wr(_fd5, (double)(add_<double, 0>(rd<double>(_fd467), rd<double>(_fd499)))); }
  { wr(_p79, (bool)((int64_t)rd<int64_t>(_rd141) == (int64_t)(int64_t)0x10ull)); }
  if (rd<bool>(_p79)) { goto _L__BB0_8; }
  { goto _L__BB0_7; }
  _L__BB0_8:;
  { wr(_rd142, (uint64_t)((uint64_t)0x0ull)); }
  { goto _L__BB0_9; }
  _L__BB0_10:;
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (112), 8, 0, 824)); wr(_fd593, (double)(get<double>(p_ + 0))); }
  { wr(_fd594, (double)(div_<double>(rd<double>(_fd593), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (112), 8, 1, 826)); put<double>(p_ + 0, rd<double>(_fd594)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (120), 8, 0, 827)); wr(_fd595, (double)(get<double>(p_ + 0))); }
  { wr(_fd596, (double)(div_<double>(rd<double>(_fd595), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (120), 8, 1, 829)); put<double>(p_ + 0, rd<double>(_fd596)); }
  { wr(_rd142, (int64_t)(add_<int64_t>(rd<int64_t>(_rd142), (int64_t)0x10ull))); }
  _L__BB0_9:;
  
  { wr(_rd137, (int64_t)((uint64_t)rd<int64_t>(_rd138) * (uint64_t)(int64_t)0x1eull)); }
  { wr(_rd133, (int64_t)(add_<int64_t>(rd<int64_t>(_rd142), rd<int64_t>(_rd137)))); }
  { wr(_rd134, (uint64_t)(shl_<uint64_t>(rd<uint64_t>(_rd133), (uint32_t)0x3ull))); }
  { wr(_rd21, (int64_t)(add_<int64_t>(rd<int64_t>(_rd2), rd<int64_t>(_rd134)))); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21), 8, 0, 838)); wr(_fd565, (double)(get<double>(p_ + 0))); }
  { wr(_fd566, (double)(div_<double>(rd<double>(_fd565), rd<double>(_fd5)))); }
  { wr(_rd22, (int64_t)(add_<int64_t>(rd<int64_t>(_rd7), rd<int64_t>(_rd134)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22), 8, 1, 841)); put<double>(p_ + 0, rd<double>(_fd566)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (8), 8, 0, 842)); wr(_fd567, (double)(get<double>(p_ + 0))); }
  { wr(_fd568, (double)(div_<double>(rd<double>(_fd567), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (8), 8, 1, 844)); put<double>(p_ + 0, rd<double>(_fd568)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (16), 8, 0, 845)); wr(_fd569, (double)(get<double>(p_ + 0))); }
  { wr(_fd570, (double)(div_<double>(rd<double>(_fd569), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (16), 8, 1, 847)); put<double>(p_ + 0, rd<double>(_fd570)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (24), 8, 0, 848)); wr(_fd571, (double)(get<double>(p_ + 0))); }
  { wr(_fd572, (double)(div_<double>(rd<double>(_fd571), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (24), 8, 1, 850)); put<double>(p_ + 0, rd<double>(_fd572)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (32), 8, 0, 851)); wr(_fd573, (double)(get<double>(p_ + 0))); }
  { wr(_fd574, (double)(div_<double>(rd<double>(_fd573), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (32), 8, 1, 853)); put<double>(p_ + 0, rd<double>(_fd574)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (40), 8, 0, 854)); wr(_fd575, (double)(get<double>(p_ + 0))); }
  { wr(_fd576, (double)(div_<double>(rd<double>(_fd575), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (40), 8, 1, 856)); put<double>(p_ + 0, rd<double>(_fd576)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (48), 8, 0, 857)); wr(_fd577, (double)(get<double>(p_ + 0))); }
  { wr(_fd578, (double)(div_<double>(rd<double>(_fd577), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (48), 8, 1, 859)); put<double>(p_ + 0, rd<double>(_fd578)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (56), 8, 0, 860)); wr(_fd579, (double)(get<double>(p_ + 0))); }
  { wr(_fd580, (double)(div_<double>(rd<double>(_fd579), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (56), 8, 1, 862)); put<double>(p_ + 0, rd<double>(_fd580)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (64), 8, 0, 863)); wr(_fd581, (double)(get<double>(p_ + 0))); }
  { wr(_fd582, (double)(div_<double>(rd<double>(_fd581), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (64), 8, 1, 865)); put<double>(p_ + 0, rd<double>(_fd582)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (72), 8, 0, 866)); wr(_fd583, (double)(get<double>(p_ + 0))); }
  { wr(_fd584, (double)(div_<double>(rd<double>(_fd583), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (72), 8, 1, 868)); put<double>(p_ + 0, rd<double>(_fd584)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (80), 8, 0, 869)); wr(_fd585, (double)(get<double>(p_ + 0))); }
  { wr(_fd586, (double)(div_<double>(rd<double>(_fd585), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (80), 8, 1, 871)); put<double>(p_ + 0, rd<double>(_fd586)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (88), 8, 0, 872)); wr(_fd587, (double)(get<double>(p_ + 0))); }
  { wr(_fd588, (double)(div_<double>(rd<double>(_fd587), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (88), 8, 1, 874)); put<double>(p_ + 0, rd<double>(_fd588)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (96), 8, 0, 875)); wr(_fd589, (double)(get<double>(p_ + 0))); }
  { wr(_fd590, (double)(div_<double>(rd<double>(_fd589), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (96), 8, 1, 877)); put<double>(p_ + 0, rd<double>(_fd590)); }
  { const char *p_ = (const char *)(atGLOBAL(T, rd<uint64_t>(_rd21) + (104), 8, 0, 878)); wr(_fd591, (double)(get<double>(p_ + 0))); }
  { wr(_fd592, (double)(div_<double>(rd<double>(_fd591), rd<double>(_fd5)))); }
  { char *p_ = (char *)(atGLOBAL(T, rd<uint64_t>(_rd22) + (104), 8, 1, 880)); put<double>(p_ + 0, rd<double>(_fd592)); }
  { wr(_p84, (bool)((int64_t)rd<int64_t>(_rd142) == (int64_t)(int64_t)0x10ull)); }
  if (rd<bool>(_p84)) { goto _L__BB0_11; }
  { goto _L__BB0_10; }
  _L__BB0_11:;
  { wr(_rd138, (int64_t)(add_<int64_t>(rd<int64_t>(_rd138), rd<int64_t>(_rd5)))); }
  { wr(_p85, (bool)((uint64_t)rd<uint64_t>(_rd138) < (uint64_t)(uint64_t)0x14ull)); }
  if (rd<bool>(_p85)) { goto _L__BB0_2; }
  _L__BB0_12:;
  { return; }
}

static const unsigned o_kernel_0[] = {0, 8, 16, 0}, s_kernel_0[] = {8, 8, 8, 0};
extern "C" const Entry cuda_cpu_entries[] = {
  {"kernel_0", k_kernel_0, 3, o_kernel_0, s_kernel_0, 24, 0, 1024},
  {nullptr, nullptr, 0, nullptr, nullptr, 0, 0, 0}};
extern "C" const Variable cuda_cpu_variables[] = {
  {nullptr, nullptr, 0}};
