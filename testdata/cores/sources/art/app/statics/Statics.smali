# main(n) puts n entries into a map that a static field holds, and forgets none.
# truth.json says what leaks for n = 6000.
.class public Lstatics/Statics;
.super Ljava/lang/Object;
.source "Statics.java"
.field public static cache:Ljava/util/HashMap;
.field public static config:Ljava/util/ArrayList;

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 8
 .line 10
 new-instance v0, Ljava/util/HashMap;
 invoke-direct {v0}, Ljava/util/HashMap;-><init>()V
 sput-object v0, Lstatics/Statics;->cache:Ljava/util/HashMap;
 new-array v1, p0, [Ljava/util/HashMap$Node;
 iput-object v1, v0, Ljava/util/HashMap;->table:[Ljava/util/HashMap$Node;
 iput p0, v0, Ljava/util/HashMap;->size:I
 const/4 v2, 0x0
 const/16 v3, 0x20
 :next
 if-ge v2, p0, :done
 .line 20
 new-instance v4, Ljava/util/HashMap$Node;
 invoke-direct {v4}, Ljava/util/HashMap$Node;-><init>()V
 new-instance v5, Lstatics/Entry;
 invoke-direct {v5}, Lstatics/Entry;-><init>()V
 new-array v6, v3, [J
 iput-object v6, v5, Lstatics/Entry;->data:[J
 iput-object v5, v4, Ljava/util/HashMap$Node;->value:Ljava/lang/Object;
 aput-object v4, v1, v2
 add-int/lit8 v2, v2, 0x1
 goto :next
 :done
 .line 30
 new-instance v0, Ljava/util/ArrayList;
 invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
 sput-object v0, Lstatics/Statics;->config:Ljava/util/ArrayList;
 const/4 v1, 0x0
 const/4 v4, 0x0
 const/4 v5, 0x0
 const/4 v6, 0x0
 const/4 v0, 0x1
 invoke-static {v0}, Lstatics/Statics;->crash(I)V
 .line 31
 return-void
.end method
