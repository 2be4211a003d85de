# The thread "painter" throws an exception that nobody catches. Its class inherits a getCause
# that returns a field of its own; that cause was given another stack trace, as setStackTrace
# does, and has a cause in Throwable's field. The last one suppresses another exception. The
# handler describes the first one and, by way of getCause, the last one before it gives up in
# native code.
.class public Lcauses/Causes;
.super Ljava/lang/Object;
.source "Causes.java"
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
 new-instance v0, Lcauses/Causes;
 invoke-direct {v0}, Lcauses/Causes;-><init>()V
 sput-object v0, Ljava/lang/Thread;->defaultUncaughtExceptionHandler:Ljava/lang/Thread$UncaughtExceptionHandler;
 const-string v1, "painter"
 invoke-static {v0, v1}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 12
 invoke-static {}, Lcauses/Causes;->parkNative()V
 .line 13
 return-void
.end method

.method public run()V
 .locals 1
 .line 20
 invoke-static {}, Lcauses/Causes;->bind()Ljava/lang/Throwable;
 move-result-object v0
 .line 21
 invoke-static {v0}, Lcauses/Causes;->close(Ljava/lang/Throwable;)Ljava/lang/Throwable;
 move-result-object v0
 .line 22
 invoke-static {v0}, Lcauses/Causes;->draw(Ljava/lang/Throwable;)V
 return-void
.end method

.method public static bind()Ljava/lang/Throwable;
 .locals 5
 .line 30
 new-instance v0, Ljava/lang/NullPointerException;
 const-string v1, "the view is null"
 invoke-direct {v0, v1}, Ljava/lang/NullPointerException;-><init>(Ljava/lang/String;)V
 .line 31
 new-instance v1, Ljava/lang/IllegalStateException;
 const-string v2, "the cursor was open"
 invoke-direct {v1, v2}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
 .line 32
 const/4 v2, 0x1
 new-array v3, v2, [Ljava/lang/Object;
 const/4 v4, 0x0
 aput-object v1, v3, v4
 new-instance v1, Ljava/util/ArrayList;
 invoke-direct {v1}, Ljava/util/ArrayList;-><init>()V
 iput-object v3, v1, Ljava/util/ArrayList;->elementData:[Ljava/lang/Object;
 iput v2, v1, Ljava/util/ArrayList;->size:I
 iput-object v1, v0, Ljava/lang/Throwable;->suppressedExceptions:Ljava/util/List;
 return-object v0
.end method

.method public static close(Ljava/lang/Throwable;)Ljava/lang/Throwable;
 .locals 6
 .line 40
 new-instance v0, Ljava/lang/IllegalArgumentException;
 const-string v1, "the presenter is closed"
 invoke-direct {v0, v1, p0}, Ljava/lang/IllegalArgumentException;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 .line 41
 new-instance v1, Ljava/lang/StackTraceElement;
 const-string v2, "app.Presenter"
 const-string v3, "close"
 const-string v4, "Presenter.java"
 const/16 v5, 0xc
 invoke-direct {v1, v2, v3, v4, v5}, Ljava/lang/StackTraceElement;-><init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)V
 const/4 v2, 0x1
 new-array v3, v2, [Ljava/lang/StackTraceElement;
 const/4 v4, 0x0
 aput-object v1, v3, v4
 iput-object v3, v0, Ljava/lang/Throwable;->stackTrace:[Ljava/lang/StackTraceElement;
 return-object v0
.end method

.method public static draw(Ljava/lang/Throwable;)V
 .locals 2
 .line 50
 new-instance v0, Lcauses/Undrawn;
 const-string v1, "the screen was not drawn"
 invoke-direct {v0, v1, p0}, Lcauses/Undrawn;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 .line 51
 throw v0
.end method

.method public uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V
 .locals 1
 .line 60
 invoke-static {p2}, Lcauses/Causes;->describe(Ljava/lang/Throwable;)V
 .line 61
 check-cast p2, Lcauses/Wrapped;
 invoke-virtual {p2}, Lcauses/Wrapped;->getCause()Ljava/lang/Throwable;
 move-result-object v0
 iget-object v0, v0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
 invoke-static {v0}, Lcauses/Causes;->describe(Ljava/lang/Throwable;)V
 .line 62
 const/4 v0, 0x1
 invoke-static {v0}, Lcauses/Causes;->crash(I)V
 .line 63
 return-void
.end method
