# The methods of the boot class path that really run. See classes.txt.
.class Ljava/lang/Object;
.method public constructor <init>()V
 .locals 0
 return-void
.end method
.method public wait()V
 .locals 3
 .line 100
 const-wide/16 v0, 0x0
 const/4 v2, 0x0
 invoke-virtual {p0, v0, v1, v2}, Ljava/lang/Object;->wait(JI)V
 return-void
.end method
.method public toString()Ljava/lang/String;
 .locals 1
 const-string v0, "object"
 return-object v0
.end method
.method public finalize()V
 .locals 0
 return-void
.end method
.method public equals(Ljava/lang/Object;)Z
 .locals 1
 if-ne p0, p1, :n
 const/4 v0, 1
 return v0
 :n
 const/4 v0, 0
 return v0
.end method
.class Ljava/lang/Throwable;
.method public constructor <init>()V
 .locals 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 invoke-virtual {p0}, Ljava/lang/Throwable;->fillInStackTrace()Ljava/lang/Throwable;
 return-void
.end method
.method public constructor <init>(Ljava/lang/String;)V
 .locals 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-object p1, p0, Ljava/lang/Throwable;->detailMessage:Ljava/lang/String;
 invoke-virtual {p0}, Ljava/lang/Throwable;->fillInStackTrace()Ljava/lang/Throwable;
 return-void
.end method
.method public constructor <init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 .locals 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-object p1, p0, Ljava/lang/Throwable;->detailMessage:Ljava/lang/String;
 iput-object p2, p0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
 invoke-virtual {p0}, Ljava/lang/Throwable;->fillInStackTrace()Ljava/lang/Throwable;
 return-void
.end method
.method public fillInStackTrace()Ljava/lang/Throwable;
 .locals 1
 invoke-static {}, Ljava/lang/Throwable;->nativeFillInStackTrace()Ljava/lang/Object;
 move-result-object v0
 iput-object v0, p0, Ljava/lang/Throwable;->backtrace:Ljava/lang/Object;
 return-object p0
.end method
.method public getStackTrace()[Ljava/lang/StackTraceElement;
 .locals 1
 iget-object v0, p0, Ljava/lang/Throwable;->backtrace:Ljava/lang/Object;
 invoke-static {v0}, Ljava/lang/Throwable;->nativeGetStackTrace(Ljava/lang/Object;)[Ljava/lang/StackTraceElement;
 move-result-object v0
 return-object v0
.end method
.method public getMessage()Ljava/lang/String;
 .locals 1
 iget-object v0, p0, Ljava/lang/Throwable;->detailMessage:Ljava/lang/String;
 return-object v0
.end method
.method public printStackTrace()V
 .locals 0
 return-void
.end method
.class Ljava/lang/StackTraceElement;
.method public constructor <init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)V
 .locals 0
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-object p1, p0, Ljava/lang/StackTraceElement;->declaringClass:Ljava/lang/String;
 iput-object p2, p0, Ljava/lang/StackTraceElement;->methodName:Ljava/lang/String;
 iput-object p3, p0, Ljava/lang/StackTraceElement;->fileName:Ljava/lang/String;
 iput p4, p0, Ljava/lang/StackTraceElement;->lineNumber:I
 return-void
.end method
.class Ljava/lang/ThreadGroup;
.method static constructor <clinit>()V
 .locals 3
 new-instance v0, Ljava/lang/ThreadGroup;
 const-string v1, "system"
 const/4 v2, 0x0
 invoke-direct {v0, v2, v1}, Ljava/lang/ThreadGroup;-><init>(Ljava/lang/ThreadGroup;Ljava/lang/String;)V
 sput-object v0, Ljava/lang/ThreadGroup;->systemThreadGroup:Ljava/lang/ThreadGroup;
 new-instance v2, Ljava/lang/ThreadGroup;
 const-string v1, "main"
 invoke-direct {v2, v0, v1}, Ljava/lang/ThreadGroup;-><init>(Ljava/lang/ThreadGroup;Ljava/lang/String;)V
 sput-object v2, Ljava/lang/ThreadGroup;->mainThreadGroup:Ljava/lang/ThreadGroup;
 return-void
.end method
.method public constructor <init>(Ljava/lang/ThreadGroup;Ljava/lang/String;)V
 .locals 0
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-object p1, p0, Ljava/lang/ThreadGroup;->parent:Ljava/lang/ThreadGroup;
 iput-object p2, p0, Ljava/lang/ThreadGroup;->name:Ljava/lang/String;
 return-void
.end method
.class Ljava/lang/Thread;
.method public constructor <init>(Ljava/lang/ThreadGroup;Ljava/lang/String;IZ)V
 .locals 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-object p1, p0, Ljava/lang/Thread;->group:Ljava/lang/ThreadGroup;
 iput-object p2, p0, Ljava/lang/Thread;->name:Ljava/lang/String;
 iput p3, p0, Ljava/lang/Thread;->priority:I
 iput-boolean p4, p0, Ljava/lang/Thread;->daemon:Z
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 iput-object v0, p0, Ljava/lang/Thread;->lock:Ljava/lang/Object;
 return-void
.end method
.method public constructor <init>(Ljava/lang/Runnable;Ljava/lang/String;)V
 .locals 3
 sget-object v0, Ljava/lang/ThreadGroup;->mainThreadGroup:Ljava/lang/ThreadGroup;
 const/4 v1, 0x5
 const/4 v2, 0x0
 invoke-direct {p0, v0, p2, v1, v2}, Ljava/lang/Thread;-><init>(Ljava/lang/ThreadGroup;Ljava/lang/String;IZ)V
 iput-object p1, p0, Ljava/lang/Thread;->target:Ljava/lang/Runnable;
 return-void
.end method
.method public start()V
 .locals 3
 .line 200
 const-wide/32 v0, 0x100000
 const/4 v2, 0x0
 invoke-static {p0, v0, v1, v2}, Ljava/lang/Thread;->nativeCreate(Ljava/lang/Thread;JZ)V
 .line 201
 return-void
.end method
.method public run()V
 .locals 1
 .line 210
 iget-object v0, p0, Ljava/lang/Thread;->target:Ljava/lang/Runnable;
 if-eqz v0, :end
 .line 211
 invoke-interface {v0}, Ljava/lang/Runnable;->run()V
 :end
 .line 213
 return-void
.end method
.method public static sleep(J)V
 .locals 2
 .line 220
 new-instance v0, Ljava/lang/Object;
 invoke-direct {v0}, Ljava/lang/Object;-><init>()V
 const/4 v1, 0x0
 .line 221
 monitor-enter v0
 :ts
 .line 222
 invoke-static {v0, p0, p1, v1}, Ljava/lang/Thread;->sleep(Ljava/lang/Object;JI)V
 .line 223
 monitor-exit v0
 :te
 return-void
 .catchall {:ts .. :te} :th
 :th
 move-exception v1
 monitor-exit v0
 throw v1
.end method
.method public dispatchUncaughtException(Ljava/lang/Throwable;)V
 .locals 1
 .line 230
 sget-object v0, Ljava/lang/Thread;->defaultUncaughtExceptionHandler:Ljava/lang/Thread$UncaughtExceptionHandler;
 if-eqz v0, :none
 .line 231
 invoke-interface {v0, p0, p1}, Ljava/lang/Thread$UncaughtExceptionHandler;->uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V
 :none
 .line 232
 return-void
.end method
.class Ljava/lang/Thread$UncaughtExceptionHandler;
.method public uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V
.end method
.class Ljava/lang/ClassLoader;
.method public constructor <init>()V
 .locals 0
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
.method public constructor <init>(Ljava/lang/ClassLoader;)V
 .locals 0
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 iput-object p1, p0, Ljava/lang/ClassLoader;->parent:Ljava/lang/ClassLoader;
 return-void
.end method
.method public static getSystemClassLoader()Ljava/lang/ClassLoader;
 .locals 1
 sget-object v0, Ljava/lang/ClassLoader;->system:Ljava/lang/ClassLoader;
 if-nez v0, :have
 new-instance v0, Ljava/lang/BootClassLoader;
 invoke-direct {v0}, Ljava/lang/BootClassLoader;-><init>()V
 sput-object v0, Ljava/lang/ClassLoader;->system:Ljava/lang/ClassLoader;
 :have
 return-object v0
.end method
.class Ljava/lang/BootClassLoader;
.method public constructor <init>()V
 .locals 0
 invoke-direct {p0}, Ljava/lang/ClassLoader;-><init>()V
 return-void
.end method
.class Ljava/lang/String;
.method public length()I
 .locals 1
 iget v0, p0, Ljava/lang/String;->count:I
 ushr-int/lit8 v0, v0, 0x1
 return v0
.end method
.class Ljava/util/Collections;
.method static constructor <clinit>()V
 .locals 0
 return-void
.end method
.class Llibcore/util/EmptyArray;
.method static constructor <clinit>()V
 .locals 1
 const/4 v0, 0x0
 new-array v0, v0, [Ljava/lang/StackTraceElement;
 sput-object v0, Llibcore/util/EmptyArray;->STACK_TRACE_ELEMENT:[Ljava/lang/StackTraceElement;
 return-void
.end method
.class Ljava/lang/Boolean;
.method public static valueOf(Z)Ljava/lang/Boolean;
 .locals 1
 new-instance v0, Ljava/lang/Boolean;
 invoke-direct {v0}, Ljava/lang/Boolean;-><init>()V
 iput-boolean p0, v0, Ljava/lang/Boolean;->value:Z
 return-object v0
.end method
.class Ljava/lang/Byte;
.method public static valueOf(B)Ljava/lang/Byte;
 .locals 1
 new-instance v0, Ljava/lang/Byte;
 invoke-direct {v0}, Ljava/lang/Byte;-><init>()V
 iput-byte p0, v0, Ljava/lang/Byte;->value:B
 return-object v0
.end method
.class Ljava/lang/Character;
.method public static valueOf(C)Ljava/lang/Character;
 .locals 1
 new-instance v0, Ljava/lang/Character;
 invoke-direct {v0}, Ljava/lang/Character;-><init>()V
 iput-char p0, v0, Ljava/lang/Character;->value:C
 return-object v0
.end method
.class Ljava/lang/Double;
.method public static valueOf(D)Ljava/lang/Double;
 .locals 1
 new-instance v0, Ljava/lang/Double;
 invoke-direct {v0}, Ljava/lang/Double;-><init>()V
 iput-wide p0, v0, Ljava/lang/Double;->value:D
 return-object v0
.end method
.class Ljava/lang/Float;
.method public static valueOf(F)Ljava/lang/Float;
 .locals 1
 new-instance v0, Ljava/lang/Float;
 invoke-direct {v0}, Ljava/lang/Float;-><init>()V
 iput p0, v0, Ljava/lang/Float;->value:F
 return-object v0
.end method
.class Ljava/lang/Integer;
.method public static valueOf(I)Ljava/lang/Integer;
 .locals 1
 new-instance v0, Ljava/lang/Integer;
 invoke-direct {v0}, Ljava/lang/Integer;-><init>()V
 iput p0, v0, Ljava/lang/Integer;->value:I
 return-object v0
.end method
.class Ljava/lang/Long;
.method public static valueOf(J)Ljava/lang/Long;
 .locals 1
 new-instance v0, Ljava/lang/Long;
 invoke-direct {v0}, Ljava/lang/Long;-><init>()V
 iput-wide p0, v0, Ljava/lang/Long;->value:J
 return-object v0
.end method
.class Ljava/lang/Short;
.method public static valueOf(S)Ljava/lang/Short;
 .locals 1
 new-instance v0, Ljava/lang/Short;
 invoke-direct {v0}, Ljava/lang/Short;-><init>()V
 iput-short p0, v0, Ljava/lang/Short;->value:S
 return-object v0
.end method
.class Ljava/lang/ref/FinalizerReference;
.method public static add(Ljava/lang/Object;)V
 .locals 2
 new-instance v0, Ljava/lang/ref/FinalizerReference;
 invoke-direct {v0}, Ljava/lang/ref/FinalizerReference;-><init>()V
 iput-object p0, v0, Ljava/lang/ref/Reference;->referent:Ljava/lang/Object;
 sget-object v1, Ljava/lang/ref/FinalizerReference;->head:Ljava/lang/ref/FinalizerReference;
 iput-object v1, v0, Ljava/lang/ref/FinalizerReference;->next:Ljava/lang/ref/FinalizerReference;
 if-eqz v1, :first
 iput-object v0, v1, Ljava/lang/ref/FinalizerReference;->prev:Ljava/lang/ref/FinalizerReference;
 :first
 sput-object v0, Ljava/lang/ref/FinalizerReference;->head:Ljava/lang/ref/FinalizerReference;
 return-void
.end method
.class Ljava/lang/Runnable;
.method public run()V
.end method
.class Ljava/lang/reflect/InvocationHandler;
.method public invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
.end method
.class Ljava/lang/reflect/Proxy;
.method public static invoke(Ljava/lang/reflect/Proxy;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
 .locals 1
 .line 300
 iget-object v0, p0, Ljava/lang/reflect/Proxy;->h:Ljava/lang/reflect/InvocationHandler;
 .line 301
 invoke-interface {v0, p0, p1, p2}, Ljava/lang/reflect/InvocationHandler;->invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
 move-result-object v0
 .line 302
 return-object v0
.end method
