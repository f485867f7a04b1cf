package rivals;

import com.google.gson.Gson;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Runs a program of ../programs.json in Lincheck's model checking mode and prints one JSON line.
 *
 * <p>Arguments: PROGRAM SECONDS REPEAT INVOCATIONS, the programs on standard input. The search is
 * repeated until both SECONDS have passed and REPEAT is reached; the first ones warm the virtual
 * machine up, and the rate is that of the best search. One that comes to INVOCATIONS is not exhausted.
 */
public final class Rivals {
  private Rivals() {}

  /** Counts executions and collects outcomes; nothing is ever wrong. */
  public static final class Counter implements Verifier {
    static long executions;
    static final TreeSet<String> outcomes = new TreeSet<>();

    public Counter(Class<?> specification) {}

    @Override
    public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
      executions++;
      StringBuilder s = new StringBuilder();
      for (var thread : results.getParallelResultsWithClock()) {
        for (var r : thread) {
          s.append(r.getResult()).append('|');
        }
      }
      outcomes.add(s.append(results.getPostResults().get(0)).toString());
      return true;
    }
  }

  public static void main(String[] args) throws Exception {
    Code.Program[] all = new Gson().fromJson(
        new InputStreamReader(System.in, StandardCharsets.UTF_8), Code.Program[].class);
    for (Code.Program p : all) {
      if (p.name.equals(args[0])) {
        Code.program = p;
      }
    }
    if (Code.program == null) {
      throw new IllegalArgumentException("no program " + args[0]);
    }
    double seconds = Double.parseDouble(args[1]);
    int repeat = Integer.parseInt(args[2]);
    int limit = Integer.parseInt(args[3]);
    long began = System.nanoTime();
    long searches = 0, executions = 0;
    double best = Double.MAX_VALUE;
    boolean exhausted = true;
    do {
      Counter.executions = 0;
      long start = System.nanoTime();
      search(limit);
      best = Math.min(best, (System.nanoTime() - start) / 1e9);
      searches++;
      executions = Counter.executions;
      exhausted = executions < limit;
    } while (searches < repeat || (System.nanoTime() - began) / 1e9 < seconds);
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("tool", "lincheck");
    line.put("version", "3.7");
    line.put("mode", "model checking");
    line.put("program", args[0]);
    line.put("executions", executions);
    line.put("searches", 1);
    line.put("exhausted", exhausted);
    line.put("seconds", best);
    line.put("outcomes", new ArrayList<>(Counter.outcomes));
    System.out.println(new Gson().toJson(line));
    System.exit(0);
  }

  private static void search(int limit) throws Exception {
    Method run = Cells.class.getMethod("run", int.class);
    Method left = Cells.class.getMethod("left");
    List<List<Actor>> threads = new ArrayList<>();
    for (int i = 0; i < Code.program.threads.length; i++) {
      threads.add(List.of(new Actor(run, List.of(i))));
    }
    ExecutionScenario scenario =
        new ExecutionScenario(List.of(), threads, List.of(new Actor(left, List.of())), null);
    new ModelCheckingOptions()
        .iterations(0)
        .addCustomScenario(scenario)
        .invocationsPerIteration(limit)
        .minimizeFailedScenario(false)
        .verifier(Counter.class)
        .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(Code.class.getName()).allMethods().ignore())
        .check(Cells.class);
  }
}
