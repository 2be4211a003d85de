# main(n) makes n units of ten objects that all hang on the static field head, and
# some of other kinds: truth.json has the counts for n = 100.
.class public Lgraph/Graph;
.super Ljava/lang/Object;
.source "Graph.java"
.implements Ljava/lang/Runnable;
.field public static head:Lgraph/Node;
.field public static pinned:Lgraph/Pinned;
.field public static names:[Ljava/lang/String;
.field public static weak:Ljava/lang/ref/WeakReference;
.field public static soft:Ljava/lang/ref/SoftReference;
.field public static units:I

.method public static native refs(Ljava/lang/Object;I)V
.end method

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public static main(I)V
 .locals 4
 .line 10
 sput p0, Lgraph/Graph;->units:I
 const/4 v0, 0x0
 :next
 if-ge v0, p0, :built
 .line 12
 invoke-static {v0}, Lgraph/Graph;->unit(I)V
 add-int/lit8 v0, v0, 0x1
 goto :next
 :built
 .line 15
 invoke-static {}, Lgraph/Graph;->others()V
 .line 16
 new-instance v1, Lextra/Far;
 invoke-direct {v1}, Lextra/Far;-><init>()V
 new-instance v2, Lgraph/Graph;
 invoke-direct {v2}, Lgraph/Graph;-><init>()V
 iput-object v2, v1, Lextra/Far;->hook:Ljava/lang/Runnable;
 .line 17
 invoke-virtual {v1}, Lextra/Far;->work()V
 .line 18
 return-void
.end method

.method public run()V
 .locals 2
 .line 22
 sget-object v0, Lgraph/Graph;->pinned:Lgraph/Pinned;
 const/16 v1, 0x14
 invoke-static {v0, v1}, Lgraph/Graph;->refs(Ljava/lang/Object;I)V
 .line 23
 return-void
.end method

# four Nodes in a chain, a Base, a Mid, a Leaf, an int[16], an Object[8], a byte[40]
.method public static unit(I)V
 .locals 10
 .line 30
 sget-object v0, Lgraph/Graph;->head:Lgraph/Node;
 int-to-long v8, p0
 new-instance v1, Lgraph/Node;
 invoke-direct {v1}, Lgraph/Node;-><init>()V
 iput-object v0, v1, Lgraph/Node;->next:Lgraph/Node;
 iput-wide v8, v1, Lgraph/Node;->id:J
 new-instance v2, Lgraph/Node;
 invoke-direct {v2}, Lgraph/Node;-><init>()V
 iput-object v1, v2, Lgraph/Node;->next:Lgraph/Node;
 iput-wide v8, v2, Lgraph/Node;->id:J
 new-instance v3, Lgraph/Node;
 invoke-direct {v3}, Lgraph/Node;-><init>()V
 iput-object v2, v3, Lgraph/Node;->next:Lgraph/Node;
 iput-wide v8, v3, Lgraph/Node;->id:J
 new-instance v4, Lgraph/Node;
 invoke-direct {v4}, Lgraph/Node;-><init>()V
 iput-object v3, v4, Lgraph/Node;->next:Lgraph/Node;
 iput-wide v8, v4, Lgraph/Node;->id:J
 sput-object v4, Lgraph/Graph;->head:Lgraph/Node;
 .line 40
 const/16 v0, 0x8
 new-array v5, v0, [Ljava/lang/Object;
 iput-object v5, v1, Lgraph/Node;->other:Ljava/lang/Object;
 const/16 v0, 0x10
 new-array v6, v0, [I
 iput-object v6, v2, Lgraph/Node;->other:Ljava/lang/Object;
 const/16 v0, 0x28
 new-array v6, v0, [B
 iput-object v6, v3, Lgraph/Node;->other:Ljava/lang/Object;
 .line 45
 new-instance v6, Lgraph/Base;
 invoke-direct {v6}, Lgraph/Base;-><init>()V
 iput-object v1, v6, Lgraph/Base;->owner:Lgraph/Node;
 const/4 v0, 0x0
 aput-object v6, v5, v0
 new-instance v6, Lgraph/Mid;
 invoke-direct {v6}, Lgraph/Mid;-><init>()V
 iput-object v2, v6, Lgraph/Mid;->owner:Lgraph/Node;
 const/4 v0, 0x1
 aput-object v6, v5, v0
 new-instance v6, Lgraph/Leaf;
 invoke-direct {v6}, Lgraph/Leaf;-><init>()V
 iput-object v3, v6, Lgraph/Leaf;->owner:Lgraph/Node;
 const/4 v0, 0x2
 aput-object v6, v5, v0
 iput-object v6, v4, Lgraph/Node;->other:Ljava/lang/Object;
 .line 50
 return-void
.end method

.method public static others()V
 .locals 6
 .line 60
 new-instance v0, Lgraph/Pinned;
 invoke-direct {v0}, Lgraph/Pinned;-><init>()V
 sput-object v0, Lgraph/Graph;->pinned:Lgraph/Pinned;
 .line 62
 const/4 v1, 0x4
 new-array v1, v1, [Ljava/lang/String;
 sput-object v1, Lgraph/Graph;->names:[Ljava/lang/String;
 const-string v2, "first"
 const/4 v3, 0x0
 aput-object v2, v1, v3
 const-string v2, "second"
 const/4 v3, 0x1
 aput-object v2, v1, v3
 const-string v2, "\u4e16\u754c"
 const/4 v3, 0x2
 aput-object v2, v1, v3
 .line 65
 new-instance v2, Ljava/lang/ref/WeakReference;
 invoke-direct {v2}, Ljava/lang/ref/WeakReference;-><init>()V
 iput-object v0, v2, Ljava/lang/ref/WeakReference;->referent:Ljava/lang/Object;
 sput-object v2, Lgraph/Graph;->weak:Ljava/lang/ref/WeakReference;
 new-instance v2, Ljava/lang/ref/SoftReference;
 invoke-direct {v2}, Ljava/lang/ref/SoftReference;-><init>()V
 iput-object v1, v2, Ljava/lang/ref/SoftReference;->referent:Ljava/lang/Object;
 sput-object v2, Lgraph/Graph;->soft:Ljava/lang/ref/SoftReference;
 .line 70
 const/4 v1, 0x0
 :next
 const/4 v2, 0x7
 if-ge v1, v2, :done
 new-instance v3, Lgraph/Dead;
 invoke-direct {v3}, Lgraph/Dead;-><init>()V
 const/4 v2, 0x3
 if-ge v1, v2, :only
 new-instance v3, Lgraph/Last;
 invoke-direct {v3}, Lgraph/Last;-><init>()V
 :only
 add-int/lit8 v1, v1, 0x1
 goto :next
 :done
 .line 75
 return-void
.end method
