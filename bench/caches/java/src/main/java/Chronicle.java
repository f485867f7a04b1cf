import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteOrder;
import java.util.Arrays;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/**
 * A Chronicle Map in a file that other processes may map. Orders come in on standard input and are
 * carried out here: the map is a library of Java, and a call of it goes over no pipe. An order of many
 * keys is answered with the processor time that it took. All numbers have their high byte first. Keys
 * and values are those of bench/caches/work.go.
 */
public final class Chronicle {
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final int WHOLE = 64; // each so many hits the whole value is compared

    private final ChronicleMap<byte[], byte[]> map;
    private final byte[] key;
    private final byte[] value;
    private final byte[] whole;
    private long hits;

    private Chronicle(String file, int keyBytes, int valueBytes, long entries) throws IOException {
        key = new byte[keyBytes];
        value = new byte[valueBytes];
        whole = new byte[valueBytes];
        for (byte[] b : new byte[][] {key, value, whole}) {
            for (int i = 0; i < b.length; i++) {
                b[i] = (byte) i;
            }
        }
        map = ChronicleMapBuilder.of(byte[].class, byte[].class).entries(entries)
            .constantKeySizeBySample(key).constantValueSizeBySample(value)
            .createPersistedTo(new File(file));
    }

    private static long word(int id) {
        return Integer.toUnsignedLong(id) * 0x9E3779B97F4A7C15L;
    }

    private void name(int id) {
        LONG.set(key, key.length - 8, word(id));
    }

    private static void write(byte[] b, long first) {
        LONG.set(b, 0, first);
        LONG.set(b, b.length - 8, Long.rotateLeft(first, 29));
    }

    /** 0: absent; 1: there; 2: there, and wrong. */
    private int get(int id) {
        name(id);
        byte[] v = map.getUsing(key, value);
        if (v == null) {
            return 0;
        }
        hits++;
        long first = (long) LONG.get(v, 0);
        long flip = first ^ word(id);
        if (v.length != whole.length || flip + 1 < 0 || flip + 1 > 1
            || (long) LONG.get(v, v.length - 8) != Long.rotateLeft(first, 29)) {
            return 2;
        }
        if (hits % WHOLE == 0) {
            write(whole, first);
            return Arrays.equals(v, whole) ? 1 : 2;
        }
        return 1;
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        for (;;) {
            int order;
            try {
                order = in.readUnsignedByte();
            } catch (EOFException end) {
                return;
            }
            if (order == 'G' || order == 'S' || order == 'R') {
                one(order, in, out);
                continue;
            }
            long flip = in.readLong();
            int[] ids = new int[in.readInt()];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = in.readInt();
            }
            int done = 0;
            int wrong = 0;
            long start = CLOCK.getCurrentThreadCpuTime();
            for (int id : ids) {
                if (order == 'g') {
                    int got = get(id);
                    done += got > 0 ? 1 : 0;
                    wrong += got > 1 ? 1 : 0;
                } else {
                    name(id);
                    write(value, word(id) ^ flip);
                    map.put(key, value);
                    done++;
                }
            }
            out.writeLong(CLOCK.getCurrentThreadCpuTime() - start);
            out.writeInt(done);
            out.writeInt(wrong);
            out.flush();
        }
    }

    /** An order of one key, for tests: get, set, remove. */
    private void one(int order, DataInputStream in, DataOutputStream out) throws IOException {
        in.readFully(key);
        if (order == 'G') {
            byte[] v = map.get(key);
            out.writeByte(v != null ? 1 : 0);
            out.write(v != null ? v : new byte[value.length]);
        } else if (order == 'S') {
            byte[] v = new byte[value.length];
            in.readFully(v);
            map.put(key, v);
            out.writeByte(1);
        } else {
            map.remove(key);
            out.writeByte(1);
        }
        out.flush();
    }

    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        System.setOut(System.err); // the library says something when it begins
        Chronicle c = new Chronicle(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]),
            Long.parseLong(args[3]));
        out.writeByte(1);
        out.flush();
        c.serve(in, out);
        c.map.close();
    }
}
