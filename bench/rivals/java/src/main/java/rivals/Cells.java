package rivals;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The shared cells and the accesses to them: what Lincheck explores. */
public class Cells {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private final long[] cells = Code.cells();

  /** Runs one thread. */
  public String run(int thread) {
    Object frame = Code.frame(thread);
    for (int kind = Code.local(frame); kind != 0; kind = Code.local(frame)) {
      int i = kind == 5 ? 0 : (int) Code.operand(frame, 0);
      switch (kind) {
        case 1:
          Code.done(frame, (long) CELL.getVolatile(cells, i), true);
          break;
        case 2:
          CELL.setVolatile(cells, i, Code.operand(frame, 1));
          Code.done(frame, 0, false);
          break;
        case 3:
          Code.done(frame, (long) CELL.compareAndExchange(
              cells, i, Code.operand(frame, 1), Code.operand(frame, 2)), true);
          break;
        case 4:
          Code.done(frame, (long) CELL.getAndAdd(cells, i, Code.operand(frame, 1)), true);
          break;
        default:
          Thread.yield();
          Code.done(frame, 0, false);
      }
    }
    return Code.out(frame);
  }

  /** The cells as they are left. */
  public String left() {
    return Code.left(cells);
  }
}
