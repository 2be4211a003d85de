# The thread "payer" throws an exception, with a cause, that nobody catches: its run
# ends, and the runtime gives the exception to the default handler, which says what it is
# and gives up in native code. COUNT frames are between run and who throws.
.class public Luncaught/Uncaught;
.super Ljava/lang/Object;
.source "Uncaught.java"
.implements Ljava/lang/Runnable;
.implements Ljava/lang/Thread$UncaughtExceptionHandler;

.method public static native crash(I)V
.end method
.method public static native describe(Ljava/lang/Throwable;)V
.end method
.method public static native parkNative()V
.end method

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public static main(I)V
 .locals 2
 .line 10
 new-instance v0, Luncaught/Uncaught;
 invoke-direct {v0}, Luncaught/Uncaught;-><init>()V
 sput-object v0, Ljava/lang/Thread;->defaultUncaughtExceptionHandler:Ljava/lang/Thread$UncaughtExceptionHandler;
 const-string v1, "payer"
 invoke-static {v0, v1}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 12
 invoke-static {}, Luncaught/Uncaught;->parkNative()V
 .line 13
 return-void
.end method

.method public run()V
 .locals 1
 .line 20
 const/4 v0, 0x3
 invoke-static {v0}, Luncaught/Uncaught;->pay(I)V
 .line 21
 return-void
.end method

.method public static pay(I)V
 .locals 3
 .line 30
 if-lez p0, :throw
 .line 31
 add-int/lit8 v0, p0, -0x1
 invoke-static {v0}, Luncaught/Uncaught;->pay(I)V
 return-void
 :throw
 .line 33
 new-instance v0, Ljava/lang/IllegalStateException;
 const-string v1, "the ledger is closed"
 invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
 new-instance v1, Luncaught/Refused;
 const-string v2, "account 42 is not known"
 invoke-direct {v1, v2, v0}, Luncaught/Refused;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 throw v1
.end method

.method public uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V
 .locals 1
 .line 40
 invoke-static {p2}, Luncaught/Uncaught;->describe(Ljava/lang/Throwable;)V
 .line 41
 const/4 v0, 0x1
 invoke-static {v0}, Luncaught/Uncaught;->crash(I)V
 .line 42
 return-void
.end method
