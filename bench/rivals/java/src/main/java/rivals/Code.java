package rivals;

/** The program that is run. Lincheck is told to ignore this class: nothing here is a shared access of the program. */
public final class Code {
  private Code() {}

  static final class Operand {
    int r;
    long i;
  }

  static final class Instruction {
    String op;
    int d;
    Operand a;
    Operand b;
    Operand c;
    int to;
  }

  static final class Program {
    String name;
    long[] cells;
    Instruction[][] threads;
  }

  static Program program;

  static long[] cells() {
    return program.cells.clone();
  }

  /** The registers and the output of one thread. */
  static final class Frame {
    final Instruction[] code;
    final long[] reg = new long[8];
    final StringBuilder out = new StringBuilder();
    int at;

    Frame(Instruction[] code) {
      this.code = code;
    }
  }

  static Object frame(int thread) {
    return new Frame(program.threads[thread]);
  }

  private static long value(Frame f, Operand o) {
    return o.r < 0 ? o.i : f.reg[o.r] + o.i;
  }

  /** Runs up to the next access; 0 if there is none, else its kind: 1 load, 2 store, 3 cas, 4 add, 5 yield. */
  static int local(Object frame) {
    Frame f = (Frame) frame;
    while (f.at < f.code.length) {
      Instruction in = f.code[f.at];
      long a = value(f, in.a);
      long b = value(f, in.b);
      boolean jump = false;
      switch (in.op) {
        case "load": return 1;
        case "store": return 2;
        case "cas": return 3;
        case "add": return 4;
        case "yield": return 5;
        case "let": f.reg[in.d] = a; break;
        case "sub": f.reg[in.d] = a - b; break;
        case "out":
          if (f.out.length() > 0) {
            f.out.append(',');
          }
          f.out.append(a);
          break;
        case "jmp": jump = true; break;
        case "jeq": jump = a == b; break;
        case "jne": jump = a != b; break;
        case "jlt": jump = a < b; break;
        default: throw new IllegalStateException("unknown operation " + in.op);
      }
      f.at = jump ? in.to : f.at + 1;
    }
    return 0;
  }

  static long operand(Object frame, int n) {
    Frame f = (Frame) frame;
    Instruction in = f.code[f.at];
    return value(f, n == 0 ? in.a : n == 1 ? in.b : in.c);
  }

  /** Ends the access with the value that it returned. */
  static void done(Object frame, long v, boolean keep) {
    Frame f = (Frame) frame;
    if (keep) {
      f.reg[f.code[f.at].d] = v;
    }
    f.at++;
  }

  static String out(Object frame) {
    return ((Frame) frame).out.toString();
  }

  static String left(long[] cells) {
    StringBuilder s = new StringBuilder("c");
    for (int i = 0; i < cells.length; i++) {
      s.append(i > 0 ? "," : "").append(cells[i]);
    }
    return s.toString();
  }
}
