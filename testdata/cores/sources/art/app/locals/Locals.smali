# main(n) starts a thread of a pool whose ThreadLocal keeps a list of n requests when the
# request is long over.
.class public Llocals/Locals;
.super Ljava/lang/Object;
.source "Locals.java"
.field public static key:Ljava/lang/ThreadLocal;
.field public static ready:Z

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 4
 .line 10
 new-instance v0, Ljava/lang/ThreadLocal;
 invoke-direct {v0}, Ljava/lang/ThreadLocal;-><init>()V
 sput-object v0, Llocals/Locals;->key:Ljava/lang/ThreadLocal;
 new-instance v0, Llocals/PoolThread;
 invoke-direct {v0, p0}, Llocals/PoolThread;-><init>(I)V
 invoke-virtual {v0}, Ljava/lang/Thread;->start()V
 .line 13
 const-wide/16 v1, 0x32
 const/16 v3, 0x64
 :wait
 invoke-static {v1, v2}, Ljava/lang/Thread;->sleep(J)V
 add-int/lit8 v3, v3, -0x1
 if-eqz v3, :late
 sget-boolean v0, Llocals/Locals;->ready:Z
 if-eqz v0, :wait
 :late
 .line 15
 const/4 v0, 0x1
 invoke-static {v0}, Llocals/Locals;->crash(I)V
 .line 16
 return-void
.end method
