#include <math.h>

/* An array of structs, local structs, and numbers that are written behind a pointer. */
typedef struct { double x, y; } vec;
typedef struct { vec at; double m; } body;
typedef struct { vec momentum; int count; } summary;
struct frame { vec origin; double scale; };

double bodies(const body *b, int n, struct frame frame, summary *out)
{
    double e = 0;
    vec total = { 0, 0 }, last;
    for (int i = 0; i < n; i++) {
        const body *p = &b[i];
        vec at = p->at;
        at.x -= frame.origin.x;
        total.x += p->m * at.x;
        total.y += p->m * at.y;
        for (int j = 0; j < i; j++) {
            vec d;
            d.x = p->at.x - b[j].at.x;
            d.y = p->at.y - b[j].at.y;
            e -= frame.scale * p->m * b[j].m / sqrt(0.5 + d.x * d.x + d.y * d.y);
        }
        last = at;
    }
    out->momentum.x += total.x;
    out->momentum.y = total.y * last.x;
    return e;
}
