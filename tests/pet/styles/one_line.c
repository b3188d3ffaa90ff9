double one_line(double a, double b) { return a * b + a / b; }
