# The collections of java.util, put together field by field.
.class public Lvalues/Many;
.super Ljava/lang/Object;
.source "Many.java"

.method public static collections(Lvalues/Box;)V
 .locals 14
 .param p0, "box"
 .line 10
 new-instance v0, Ljava/util/ArrayList;
 invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
 const/16 v9, 0xa
 new-array v10, v9, [Ljava/lang/Object;
 const-string v11, "one"
 const/16 v9, 0x0
 aput-object v11, v10, v9
 const-string v11, "two"
 const/16 v9, 0x1
 aput-object v11, v10, v9
 iput-object v10, v0, Ljava/util/ArrayList;->elementData:[Ljava/lang/Object;
 const/16 v9, 0x3
 iput v9, v0, Ljava/util/ArrayList;->size:I
 .local v0, "list":Ljava/util/ArrayList;
 .line 20
 new-instance v1, Ljava/util/HashMap;
 invoke-direct {v1}, Ljava/util/HashMap;-><init>()V
 const/16 v9, 0x4
 new-array v10, v9, [Ljava/util/HashMap$Node;
 new-instance v11, Ljava/util/HashMap$Node;
 invoke-direct {v11}, Ljava/util/HashMap$Node;-><init>()V
 const-string v12, "alpha"
 iput-object v12, v11, Ljava/util/HashMap$Node;->key:Ljava/lang/Object;
 const/16 v9, 0x1
 invoke-static {v9}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
 move-result-object v12
 iput-object v12, v11, Ljava/util/HashMap$Node;->value:Ljava/lang/Object;
 const/16 v9, 0x2
 aput-object v11, v10, v9
 new-instance v13, Ljava/util/HashMap$Node;
 invoke-direct {v13}, Ljava/util/HashMap$Node;-><init>()V
 const-string v12, "beta"
 iput-object v12, v13, Ljava/util/HashMap$Node;->key:Ljava/lang/Object;
 iput-object p0, v13, Ljava/util/HashMap$Node;->value:Ljava/lang/Object;
 iput-object v13, v11, Ljava/util/HashMap$Node;->next:Ljava/util/HashMap$Node;
 iput-object v10, v1, Ljava/util/HashMap;->table:[Ljava/util/HashMap$Node;
 const/16 v9, 0x2
 iput v9, v1, Ljava/util/HashMap;->size:I
 .local v1, "map":Ljava/util/HashMap;
 .line 30
 new-instance v2, Ljava/util/HashSet;
 invoke-direct {v2}, Ljava/util/HashSet;-><init>()V
 iput-object v1, v2, Ljava/util/HashSet;->map:Ljava/util/HashMap;
 .local v2, "set":Ljava/util/HashSet;
 .line 35
 new-instance v3, Ljava/util/LinkedHashMap;
 invoke-direct {v3}, Ljava/util/LinkedHashMap;-><init>()V
 const/16 v9, 0x2
 new-array v10, v9, [Ljava/util/HashMap$Node;
 new-instance v11, Ljava/util/LinkedHashMap$LinkedHashMapEntry;
 invoke-direct {v11}, Ljava/util/LinkedHashMap$LinkedHashMapEntry;-><init>()V
 const-string v12, "first"
 iput-object v12, v11, Ljava/util/HashMap$Node;->key:Ljava/lang/Object;
 const-string v12, "1st"
 iput-object v12, v11, Ljava/util/HashMap$Node;->value:Ljava/lang/Object;
 new-instance v13, Ljava/util/LinkedHashMap$LinkedHashMapEntry;
 invoke-direct {v13}, Ljava/util/LinkedHashMap$LinkedHashMapEntry;-><init>()V
 const-string v12, "second"
 iput-object v12, v13, Ljava/util/HashMap$Node;->key:Ljava/lang/Object;
 const-string v12, "2nd"
 iput-object v12, v13, Ljava/util/HashMap$Node;->value:Ljava/lang/Object;
 iput-object v13, v11, Ljava/util/LinkedHashMap$LinkedHashMapEntry;->after:Ljava/util/LinkedHashMap$LinkedHashMapEntry;
 iput-object v11, v13, Ljava/util/LinkedHashMap$LinkedHashMapEntry;->before:Ljava/util/LinkedHashMap$LinkedHashMapEntry;
 const/16 v9, 0x1
 aput-object v11, v10, v9
 const/16 v9, 0x0
 aput-object v13, v10, v9
 iput-object v11, v3, Ljava/util/LinkedHashMap;->head:Ljava/util/LinkedHashMap$LinkedHashMapEntry;
 iput-object v13, v3, Ljava/util/LinkedHashMap;->tail:Ljava/util/LinkedHashMap$LinkedHashMapEntry;
 iput-object v10, v3, Ljava/util/HashMap;->table:[Ljava/util/HashMap$Node;
 const/16 v9, 0x2
 iput v9, v3, Ljava/util/HashMap;->size:I
 .local v3, "linked":Ljava/util/LinkedHashMap;
 .line 40
 new-instance v4, Ljava/util/LinkedList;
 invoke-direct {v4}, Ljava/util/LinkedList;-><init>()V
 new-instance v11, Ljava/util/LinkedList$Node;
 invoke-direct {v11}, Ljava/util/LinkedList$Node;-><init>()V
 const-string v12, "head"
 iput-object v12, v11, Ljava/util/LinkedList$Node;->item:Ljava/lang/Object;
 new-instance v13, Ljava/util/LinkedList$Node;
 invoke-direct {v13}, Ljava/util/LinkedList$Node;-><init>()V
 const-string v12, "tail"
 iput-object v12, v13, Ljava/util/LinkedList$Node;->item:Ljava/lang/Object;
 iput-object v13, v11, Ljava/util/LinkedList$Node;->next:Ljava/util/LinkedList$Node;
 iput-object v11, v13, Ljava/util/LinkedList$Node;->prev:Ljava/util/LinkedList$Node;
 iput-object v11, v4, Ljava/util/LinkedList;->first:Ljava/util/LinkedList$Node;
 iput-object v13, v4, Ljava/util/LinkedList;->last:Ljava/util/LinkedList$Node;
 const/16 v9, 0x2
 iput v9, v4, Ljava/util/LinkedList;->size:I
 .local v4, "chain":Ljava/util/LinkedList;
 .line 45
 new-instance v5, Ljava/util/ArrayDeque;
 invoke-direct {v5}, Ljava/util/ArrayDeque;-><init>()V
 const/16 v9, 0x4
 new-array v10, v9, [Ljava/lang/Object;
 const-string v12, "x"
 const/16 v9, 0x3
 aput-object v12, v10, v9
 const-string v12, "y"
 const/16 v9, 0x0
 aput-object v12, v10, v9
 iput-object v10, v5, Ljava/util/ArrayDeque;->elements:[Ljava/lang/Object;
 const/16 v9, 0x3
 iput v9, v5, Ljava/util/ArrayDeque;->head:I
 const/16 v9, 0x1
 iput v9, v5, Ljava/util/ArrayDeque;->tail:I
 .local v5, "deque":Ljava/util/ArrayDeque;
 .line 50
 new-instance v6, Ljava/util/TreeMap;
 invoke-direct {v6}, Ljava/util/TreeMap;-><init>()V
 new-instance v11, Ljava/util/TreeMap$TreeMapEntry;
 invoke-direct {v11}, Ljava/util/TreeMap$TreeMapEntry;-><init>()V
 const-string v12, "m"
 iput-object v12, v11, Ljava/util/TreeMap$TreeMapEntry;->key:Ljava/lang/Object;
 const-string v12, "middle"
 iput-object v12, v11, Ljava/util/TreeMap$TreeMapEntry;->value:Ljava/lang/Object;
 new-instance v13, Ljava/util/TreeMap$TreeMapEntry;
 invoke-direct {v13}, Ljava/util/TreeMap$TreeMapEntry;-><init>()V
 const-string v12, "a"
 iput-object v12, v13, Ljava/util/TreeMap$TreeMapEntry;->key:Ljava/lang/Object;
 const-string v12, "least"
 iput-object v12, v13, Ljava/util/TreeMap$TreeMapEntry;->value:Ljava/lang/Object;
 iput-object v13, v11, Ljava/util/TreeMap$TreeMapEntry;->left:Ljava/util/TreeMap$TreeMapEntry;
 iput-object v11, v13, Ljava/util/TreeMap$TreeMapEntry;->parent:Ljava/util/TreeMap$TreeMapEntry;
 iput-object v11, v6, Ljava/util/TreeMap;->root:Ljava/util/TreeMap$TreeMapEntry;
 const/16 v9, 0x2
 iput v9, v6, Ljava/util/TreeMap;->size:I
 .local v6, "tree":Ljava/util/TreeMap;
 .line 55
 new-instance v7, Ljava/util/concurrent/ConcurrentHashMap;
 invoke-direct {v7}, Ljava/util/concurrent/ConcurrentHashMap;-><init>()V
 const/16 v9, 0x2
 new-array v10, v9, [Ljava/util/concurrent/ConcurrentHashMap$Node;
 new-instance v11, Ljava/util/concurrent/ConcurrentHashMap$Node;
 invoke-direct {v11}, Ljava/util/concurrent/ConcurrentHashMap$Node;-><init>()V
 const-string v12, "k"
 iput-object v12, v11, Ljava/util/concurrent/ConcurrentHashMap$Node;->key:Ljava/lang/Object;
 const-string v12, "v"
 iput-object v12, v11, Ljava/util/concurrent/ConcurrentHashMap$Node;->val:Ljava/lang/Object;
 const/16 v9, 0x1
 aput-object v11, v10, v9
 iput-object v10, v7, Ljava/util/concurrent/ConcurrentHashMap;->table:[Ljava/util/concurrent/ConcurrentHashMap$Node;
 const-wide/16 v12, 0x1
 iput-wide v12, v7, Ljava/util/concurrent/ConcurrentHashMap;->baseCount:J
 .local v7, "shared":Ljava/util/concurrent/ConcurrentHashMap;
 .line 60
 new-instance v8, Ljava/util/concurrent/atomic/AtomicInteger;
 invoke-direct {v8}, Ljava/util/concurrent/atomic/AtomicInteger;-><init>()V
 const/16 v9, 0x4d
 iput v9, v8, Ljava/util/concurrent/atomic/AtomicInteger;->value:I
 .local v8, "counter":Ljava/util/concurrent/atomic/AtomicInteger;
 .line 65
 sput-object v0, Lvalues/Values;->sList:Ljava/lang/Object;
 sput-object v1, Lvalues/Values;->sMap:Ljava/lang/Object;
 const/4 v9, 0x3
 invoke-static {v9}, Lvalues/Values;->crash(I)V
 .line 66
 return-void
.end method
