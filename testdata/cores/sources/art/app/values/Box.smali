# Its i and text hide those of Base.
.class public Lvalues/Box;
.super Lvalues/Base;
.source "Box.java"
.field public z:Z
.field public b:B
.field public c:C
.field public s:S
.field public i:I
.field public j:J
.field public f:F
.field public d:D
.field public text:Ljava/lang/String;
.field public next:Lvalues/Box;
.field public blank:Ljava/lang/Object;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Lvalues/Base;-><init>()V
 return-void
.end method
