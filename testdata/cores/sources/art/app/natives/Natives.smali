# main(n) makes n bitmaps of 64 by 64, and n matrices that a registry has 16 KB each for
# outside the heap; of each kind, one more is given back.
.class public Lnatives/Natives;
.super Ljava/lang/Object;
.source "Natives.java"
.field public static thumbnails:[Ljava/lang/Object;
.field public static matrices:[Ljava/lang/Object;
.field public static cleaners:Lsun/misc/Cleaner;

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 2
 .line 10
 invoke-static {p0}, Lnatives/Natives;->bitmaps(I)V
 invoke-static {p0}, Lnatives/Natives;->matrices(I)V
 const/4 v0, 0x1
 .line 12
 invoke-static {v0}, Lnatives/Natives;->crash(I)V
 .line 13
 return-void
.end method

.method public static bitmaps(I)V
 .locals 5
 .line 20
 add-int/lit8 v0, p0, 0x1
 new-array v1, v0, [Ljava/lang/Object;
 sput-object v1, Lnatives/Natives;->thumbnails:[Ljava/lang/Object;
 const/16 v2, 0x40
 :next
 if-ltz p0, :done
 new-instance v3, Landroid/graphics/Bitmap;
 invoke-direct {v3}, Landroid/graphics/Bitmap;-><init>()V
 iput v2, v3, Landroid/graphics/Bitmap;->mWidth:I
 iput v2, v3, Landroid/graphics/Bitmap;->mHeight:I
 aput-object v3, v1, p0
 .line 25
 if-nez p0, :more
 const/4 v4, 0x1
 iput-boolean v4, v3, Landroid/graphics/Bitmap;->mRecycled:Z
 :more
 add-int/lit8 p0, p0, -0x1
 goto :next
 :done
 .line 28
 return-void
.end method

.method public static matrices(I)V
 .locals 10
 .line 30
 add-int/lit8 v0, p0, 0x1
 new-array v1, v0, [Ljava/lang/Object;
 sput-object v1, Lnatives/Natives;->matrices:[Ljava/lang/Object;
 new-instance v2, Llibcore/util/NativeAllocationRegistry;
 invoke-direct {v2}, Llibcore/util/NativeAllocationRegistry;-><init>()V
 const-wide/16 v8, 0x4001
 iput-wide v8, v2, Llibcore/util/NativeAllocationRegistry;->size:J
 const/4 v7, 0x0
 :next
 if-ltz p0, :done
 .line 35
 new-instance v3, Lnatives/Matrix;
 invoke-direct {v3}, Lnatives/Matrix;-><init>()V
 aput-object v3, v1, p0
 new-instance v4, Llibcore/util/NativeAllocationRegistry$CleanerThunk;
 invoke-direct {v4}, Llibcore/util/NativeAllocationRegistry$CleanerThunk;-><init>()V
 iput-object v2, v4, Llibcore/util/NativeAllocationRegistry$CleanerThunk;->this$0:Llibcore/util/NativeAllocationRegistry;
 .line 40
 int-to-long v8, p0
 iput-wide v8, v4, Llibcore/util/NativeAllocationRegistry$CleanerThunk;->nativePtr:J
 new-instance v5, Lsun/misc/Cleaner;
 invoke-direct {v5}, Lsun/misc/Cleaner;-><init>()V
 iput-object v3, v5, Lsun/misc/Cleaner;->referent:Ljava/lang/Object;
 iput-object v4, v5, Lsun/misc/Cleaner;->thunk:Ljava/lang/Object;
 iput-object v7, v5, Lsun/misc/Cleaner;->next:Lsun/misc/Cleaner;
 move-object v7, v5
 sput-object v5, Lnatives/Natives;->cleaners:Lsun/misc/Cleaner;
 add-int/lit8 p0, p0, -0x1
 goto :next
 :done
 .line 48
 return-void
.end method
