# main(n) makes n arrays of 4 KB, of which every tenth is kept, and n / 1000 large
# ones, of which every second is: far more than the heap holds, so that it has been
# collected some times. truth.json has what is kept of n = 40000.
.class public Lgarbage/Garbage;
.super Ljava/lang/Object;
.source "Garbage.java"
.field public static kept:[Ljava/lang/Object;
.field public static large:[Ljava/lang/Object;

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 8
 .line 10
 const/16 v7, 0x3e8
 div-int/lit8 v1, p0, 0xa
 new-array v1, v1, [Ljava/lang/Object;
 sput-object v1, Lgarbage/Garbage;->kept:[Ljava/lang/Object;
 const/16 v1, 0x64
 new-array v2, v1, [Ljava/lang/Object;
 sput-object v2, Lgarbage/Garbage;->large:[Ljava/lang/Object;
 const/4 v3, 0x0
 :next
 if-ge v3, p0, :done
 .line 20
 new-array v4, v7, [I
 rem-int/lit8 v5, v3, 0xa
 if-nez v5, :drop
 div-int/lit8 v5, v3, 0xa
 const/4 v6, 0x5
 new-array v4, v6, [J
 sget-object v1, Lgarbage/Garbage;->kept:[Ljava/lang/Object;
 aput-object v4, v1, v5
 :drop
 .line 30
 rem-int v5, v3, v7
 if-nez v5, :small
 const/16 v4, 0x2710
 new-array v4, v4, [S
 div-int v5, v3, v7
 rem-int/lit8 v6, v5, 0x2
 if-nez v6, :small
 sget-object v1, Lgarbage/Garbage;->large:[Ljava/lang/Object;
 div-int/lit8 v5, v5, 0x2
 aput-object v4, v1, v5
 :small
 add-int/lit8 v3, v3, 0x1
 goto :next
 :done
 .line 40
 const/4 v0, 0x1
 invoke-static {v0}, Lgarbage/Garbage;->crash(I)V
 .line 41
 return-void
.end method
