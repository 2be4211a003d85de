# Fields that Android gives it, as far as rules look at them.
.class public Landroid/graphics/Bitmap;
.super Ljava/lang/Object;
.source "Bitmap.java"
.field public mWidth:I
.field public mHeight:I
.field public mRecycled:Z

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
