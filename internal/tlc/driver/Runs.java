import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import tlc2.TLC;
import tlc2.output.EC;

/**
 * Runs TLC once for each line of standard input, which holds the arguments separated by tabs, and
 * ends each run with a line of the mark that is its own first argument, TLC's exit status, and the
 * milliseconds of CPU that the virtual machine has used so far. The end of the input ends it.
 */
public final class Runs {
    public static void main(String[] arguments) throws Exception {
        var system = (com.sun.management.OperatingSystemMXBean)
                ManagementFactory.getOperatingSystemMXBean();
        var jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String job; (job = jobs.readLine()) != null; ) {
            TLC tlc = new TLC();
            int status = EC.ExitStatus.ERROR;
            if (tlc.handleParameters(job.split("\t"))) {
                status = EC.ExitStatus.errorConstantToExitStatus(tlc.process());
            }
            System.out.println(arguments[0] + " " + status + " "
                    + system.getProcessCpuTime() / 1000000);
            System.out.flush();
        }
        System.exit(0); // TLC leaves threads behind
    }
}
