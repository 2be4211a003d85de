# Its static initialiser is on the stack.
.class public Lcalls/Lazy;
.super Ljava/lang/Object;
.source "Lazy.java"
.field public static value:I

.method static constructor <clinit>()V
 .locals 1
 .line 3
 invoke-static {}, Lcalls/Lazy;->make()I
 move-result v0
 sput v0, Lcalls/Lazy;->value:I
 return-void
.end method

.method private static make()I
 .locals 1
 .line 7
 const/4 v0, 0x5
 invoke-static {v0}, Lcalls/Bare;->run(I)I
 move-result v0
 return v0
.end method
