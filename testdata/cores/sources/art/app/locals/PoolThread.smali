# Thread.threadLocals, which this boot class path leaves out, is a field of its own.
.class public Llocals/PoolThread;
.super Ljava/lang/Thread;
.source "PoolThread.java"
.field public threadLocals:Ljava/lang/ThreadLocal$ThreadLocalMap;
.field public requests:I

.method public constructor <init>(I)V
 .locals 2
 .line 5
 const/4 v0, 0x0
 const-string v1, "pool-1"
 invoke-direct {p0, v0, v1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
 iput p1, p0, Llocals/PoolThread;->requests:I
 return-void
.end method

.method public run()V
 .locals 3
 .line 10
 invoke-virtual {p0}, Llocals/PoolThread;->serve()V
 const/4 v0, 0x1
 sput-boolean v0, Llocals/Locals;->ready:Z
 .line 12
 const-wide/32 v0, 0xea60
 invoke-static {v0, v1}, Ljava/lang/Thread;->sleep(J)V
 .line 13
 return-void
.end method

.method public serve()V
 .locals 8
 .line 20
 iget v6, p0, Llocals/PoolThread;->requests:I
 new-instance v0, Ljava/lang/ThreadLocal$ThreadLocalMap;
 invoke-direct {v0}, Ljava/lang/ThreadLocal$ThreadLocalMap;-><init>()V
 iput-object v0, p0, Llocals/PoolThread;->threadLocals:Ljava/lang/ThreadLocal$ThreadLocalMap;
 const/16 v1, 0x10
 new-array v2, v1, [Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;
 iput-object v2, v0, Ljava/lang/ThreadLocal$ThreadLocalMap;->table:[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;
 .line 25
 sget-object v1, Llocals/Locals;->key:Ljava/lang/ThreadLocal;
 new-instance v0, Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;
 invoke-direct {v0, v1}, Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;-><init>(Ljava/lang/Object;)V
 const/4 v1, 0x3
 aput-object v0, v2, v1
 .line 28
 new-instance v1, Ljava/util/ArrayList;
 invoke-direct {v1}, Ljava/util/ArrayList;-><init>()V
 iput-object v1, v0, Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;->value:Ljava/lang/Object;
 new-array v2, v6, [Ljava/lang/Object;
 iput-object v2, v1, Ljava/util/ArrayList;->elementData:[Ljava/lang/Object;
 iput v6, v1, Ljava/util/ArrayList;->size:I
 const/4 v3, 0x0
 const/16 v5, 0x20
 :next
 if-ge v3, v6, :done
 .line 32
 new-instance v4, Llocals/Request;
 invoke-direct {v4}, Llocals/Request;-><init>()V
 new-array v7, v5, [J
 iput-object v7, v4, Llocals/Request;->body:[J
 aput-object v4, v2, v3
 add-int/lit8 v3, v3, 0x1
 goto :next
 :done
 .line 35
 return-void
.end method
