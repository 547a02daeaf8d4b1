package org.sparkgpugraph.program.jvm;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Side;

/** Compiles single functions into {@link CompiledFunction}s, one hidden class each. */
public final class FunctionCompiler {

  /** What the generated class implements. */
  public abstract static class Body {
    /** Arrays that the function reads. */
    public Object[] tables;

    /** Runs the function. */
    public abstract Object[] run(Object[] arguments, CompiledFunction.MessageSink sink);

    /** Called by generated code. */
    public static void emit(CompiledFunction.MessageSink sink, boolean toSource, Object[] message) {
      sink.emit(toSource ? Side.SOURCE : Side.DESTINATION, message);
    }
  }

  private FunctionCompiler() {}

  /** Compiles a function without tables. */
  public static CompiledFunction compile(IrFunction function) {
    return compile(function, List.of());
  }

  /**
   * Compiles a function.
   *
   * @param tables arrays of primitives that it reads
   * @throws IllegalArgumentException when the code is malformed (kinds that do not fit)
   */
  public static CompiledFunction compile(IrFunction function, List<Object> tables) {
    GeneratedClass type =
        new GeneratedClass(
            FunctionCompiler.class, "Function$" + plain(function.name()), Body.class);
    List<Insn.Fail> sites = new ArrayList<>();
    type.method(
        "run",
        CodeBuilder.descriptor(Object[].class, Object[].class, CompiledFunction.MessageSink.class),
        code -> IrEmitter.emit(function, code, new BoxedBinding(function, sites)));
    Body body = type.instance(MethodHandles.lookup(), Body.class);
    body.tables = tables.toArray();
    return new Compiled(function, body, List.copyOf(sites));
  }

  /** A function's name with nothing in it that a class name may not have. */
  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9_]", "_");
  }

  private record Compiled(IrFunction function, Body body, List<Insn.Fail> sites)
      implements CompiledFunction {
    @Override
    public Object[] call(Object[] arguments, MessageSink sink) {
      if (arguments.length != function.parameters().size()) {
        throw new IllegalArgumentException(
            function.name()
                + " has "
                + function.parameters().size()
                + " parameters "
                + function.parameters()
                + ", not "
                + arguments.length);
      }
      try {
        return body.run(arguments, sink);
      } catch (CodeFault fault) {
        throw new FunctionFault(function.name(), sites.get(fault.site()));
      }
    }
  }

  /** Arguments from and results to arrays of boxes. */
  private static final class BoxedBinding implements IrEmitter.Binding {
    private static final int ARGUMENTS = 1;
    private static final int SINK = 2;

    private final IrFunction function;
    private final List<Insn.Fail> sites;

    BoxedBinding(IrFunction function, List<Insn.Fail> sites) {
      this.function = function;
      this.sites = sites;
    }

    @Override
    public void parameter(CodeBuilder code, Param parameter, ColumnType type) {
      Kind kind = type.kind();
      code.loadReference(ARGUMENTS).push(function.parameters().indexOf(parameter));
      code.op(Opcodes.AALOAD);
      code.out().visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(kind.box()));
      code.invokeVirtual(kind.box(), kind.primitive().getName() + "Value", kind.primitive());
    }

    @Override
    public void table(CodeBuilder code, int table, Kind kind) {
      code.field(0, Body.class, "tables", Object[].class).push(table).op(Opcodes.AALOAD);
      code.out().visitTypeInsn(Opcodes.CHECKCAST, "[" + CodeBuilder.type(kind).getDescriptor());
    }

    @Override
    public void emit(CodeBuilder code, Insn.Emit emit, int[] slots) {
      code.loadReference(SINK).push(emit.side() == Side.SOURCE ? 1 : 0);
      boxes(code, kinds(emit.message()), slots);
      code.invokeStatic(
          Body.class,
          "emit",
          void.class,
          CompiledFunction.MessageSink.class,
          boolean.class,
          Object[].class);
    }

    @Override
    public void returns(CodeBuilder code, Insn.Return instruction, int[] slots, boolean last) {
      boxes(code, function.results().stream().map(ColumnType::kind).toList(), slots);
      code.op(Opcodes.ARETURN);
    }

    private List<Kind> kinds(List<Integer> variables) {
      return variables.stream().map(function.variables()::get).toList();
    }

    private static void boxes(CodeBuilder code, List<Kind> kinds, int[] slots) {
      code.push(slots.length);
      code.out().visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
      for (int i = 0; i < slots.length; i++) {
        Kind kind = kinds.get(i);
        code.op(Opcodes.DUP).push(i).load(kind, slots[i]);
        code.invokeStatic(kind.box(), "valueOf", kind.box(), kind.primitive());
        code.op(Opcodes.AASTORE);
      }
    }

    @Override
    public void fail(CodeBuilder code, Insn.Fail fail) {
      code.push(sites.size()).push(-1);
      code.invokeStatic(CodeFault.class, "at", CodeFault.class, int.class, int.class);
      code.op(Opcodes.ATHROW);
      sites.add(fail);
    }
  }
}
