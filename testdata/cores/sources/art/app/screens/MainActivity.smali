.class public Lscreens/MainActivity;
.super Landroid/app/Activity;
.source "MainActivity.java"
.field public rows:[Ljava/lang/Object;

.method public constructor <init>(I)V
 .locals 4
 .line 5
 invoke-direct {p0}, Landroid/app/Activity;-><init>()V
 new-array v0, p1, [Ljava/lang/Object;
 iput-object v0, p0, Lscreens/MainActivity;->rows:[Ljava/lang/Object;
 const/4 v1, 0x0
 const/16 v3, 0x40
 :next
 if-ge v1, p1, :done
 .line 8
 new-array v2, v3, [I
 aput-object v2, v0, v1
 add-int/lit8 v1, v1, 0x1
 goto :next
 :done
 .line 10
 return-void
.end method
