.class public Lfilled/Event;
.super Ljava/lang/Object;
.source "Event.java"
.field public when:J
.field public what:J
.field public who:J

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
