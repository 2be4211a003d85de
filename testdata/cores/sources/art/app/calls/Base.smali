.class public abstract Lcalls/Base;
.super Ljava/lang/Object;
.source "Base.java"
.field protected size:I

.method protected constructor <init>(I)V
 .locals 0
 .line 5
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 .line 6
 invoke-virtual {p0, p1}, Lcalls/Base;->grow(I)I
 .line 7
 iput p1, p0, Lcalls/Base;->size:I
 return-void
.end method

.method public abstract grow(I)I
.end method

.method public step(I)I
 .locals 1
 .line 20
 invoke-direct {p0, p1}, Lcalls/Base;->hidden(I)I
 move-result v0
 .line 21
 return v0
.end method

.method private hidden(I)I
 .locals 1
 .line 24
 invoke-static {p1}, Lcalls/Calls;->locked(I)I
 move-result v0
 return v0
.end method
