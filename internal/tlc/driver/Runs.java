import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.TLC;
import tlc2.output.EC;
import tlc2.tool.TLCState;
import tlc2.util.BufferedRandomAccessFile;
import tlc2.util.FP64;
import tlc2.util.IStateWriter;
import tlc2.util.StateWriter;
import tlc2.value.IValue;
import tlc2.value.Values;
import util.UniqueString;

/**
 * Runs TLC once for each line of standard input, which holds the arguments separated by tabs, and
 * ends each run with a line of the mark that is its first argument, TLC's exit status, and the
 * milliseconds of CPU that the virtual machine has used so far. The end of the input ends it, and a
 * run after which TLC's own state cannot be trusted, without its mark. The second argument, if there
 * is one, is the folder of the modules.
 */
public final class Runs {
    public static void main(String[] arguments) throws Exception {
        var system = (com.sun.management.OperatingSystemMXBean)
                ManagementFactory.getOperatingSystemMXBean();
        if (arguments.length > 1) {
            meetNames(Path.of(arguments[1]));
        }
        var jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String job; (job = jobs.readLine()) != null && !sharesBuffers(); ) {
            forgetPlaces();
            TLC tlc = new TLC();
            int status = EC.ExitStatus.ERROR;
            if (tlc.handleParameters(job.split("\t"))) {
                printValuesOnce(tlc);
                status = EC.ExitStatus.errorConstantToExitStatus(tlc.process());
            }
            if (sharesBuffers()) {
                break;
            }
            System.out.println(arguments[0] + " " + status + " "
                    + system.getProcessCpuTime() / 1000000);
            System.out.flush();
        }
        System.exit(0); // TLC leaves threads behind
    }

    private static final Pattern NAME = Pattern.compile("\"([^\"]*)\"|\\w+");

    /**
     * Lets TLC meet the names and strings of all modules of a folder, in the order of the alphabet.
     * It orders strings as it has met them: so each run finds its states in the same order, whatever
     * runs the machine had before.
     */
    private static void meetNames(Path folder) throws Exception {
        Set<String> all = new TreeSet<>();
        try (var modules = Files.newDirectoryStream(folder, "*.tla")) {
            for (Path module : modules) {
                for (Matcher m = NAME.matcher(Files.readString(module)); m.find(); ) {
                    all.add(m.group(1) != null ? m.group(1) : m.group());
                }
            }
        }
        all.forEach(UniqueString::uniqueStringOf);
    }

    /** The names that TLC has met, by its numbers, which begin with 1. */
    private static final List<UniqueString> names = new ArrayList<>();

    /**
     * Takes from each name its place among the variables and definitions of the last run. TLC leaves it
     * there, and gives the definitions that are new to it the same places again.
     */
    private static void forgetPlaces() {
        for (UniqueString n; (n = UniqueString.internTbl.get(names.size() + 1)) != null; ) {
            names.add(n);
        }
        names.forEach(n -> n.setLoc(-1));
    }

    /**
     * Whether a buffer waits twice for a file: then two files of a later run have it at the same time,
     * and the graph of a liveness check is not what was written. A file that is closed twice gives its
     * buffer away twice. TLC's set of fingerprints on disk does so, when it is collected as garbage in
     * some later run; the set that machines have instead has no files.
     */
    private static boolean sharesBuffers() throws ReflectiveOperationException {
        Field waiting = BufferedRandomAccessFile.class.getDeclaredField("availBuffs");
        Field count = BufferedRandomAccessFile.class.getDeclaredField("numAvailBuffs");
        waiting.setAccessible(true);
        count.setAccessible(true);
        byte[][] buffers = (byte[][]) waiting.get(null);
        Set<byte[]> once = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < count.getInt(null); i++) {
            if (!once.add(buffers[i])) {
                return true;
            }
        }
        return false;
    }

    /** Has a run that dumps its states write each value from what was printed of it before. */
    private static void printValuesOnce(TLC tlc) throws Exception {
        Field field = TLC.class.getDeclaredField("stateWriter");
        field.setAccessible(true);
        var writer = (IStateWriter) field.get(tlc);
        if (writer.getClass() == StateWriter.class) {
            writer.close();
            field.set(tlc, new Dump(writer.getDumpFileName()));
        }
    }

    /**
     * The dump that TLC writes. TLC lays out all values of each state; those of a variable are few, and so
     * are printed once each. They are told apart by TLC's fingerprints, by which it tells states apart: of
     * equal values that it would print in two ways, as 1..2 and {1, 2}, only the first one's is written.
     */
    private static final class Dump extends StateWriter {
        private final Map<Long, String> printed = new HashMap<>();

        Dump(String path) throws IOException {
            super(path);
        }

        @Override
        public synchronized void writeState(TLCState state) {
            writer.println("State " + stateNum++ + ":");
            var variables = state.getVars();
            for (var variable : variables) {
                IValue value = state.lookup(variable.getName());
                writer.print(variables.length > 1 ? "/\\ " : "");
                writer.print(variable.getName() + " = ");
                writer.println(printed.computeIfAbsent(value.fingerPrint(FP64.New()),
                        fingerprint -> Values.ppr(value)));
            }
            writer.println();
        }
    }
}
