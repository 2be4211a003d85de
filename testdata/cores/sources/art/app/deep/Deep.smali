# 200 frames of even and odd, each with a long and a double that tell its depth.
.class public Ldeep/Deep;
.super Ljava/lang/Object;
.source "Deep.java"

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 6
 .line 10
 const-wide v0, 0x100000000L
 const-wide/high16 v2, 0x3fe0000000000000L
 const-string v4, "bottom"
 move v5, p0
 invoke-static/range {v0 .. v5}, Ldeep/Deep;->even(JDLjava/lang/String;I)I
 .line 11
 return-void
.end method

# wide = (200 - depth + 1) << 32, half = (200 - depth) + 0.5
.method public static even(JDLjava/lang/String;I)I
 .locals 8
 .param p0, "wide"
 .param p2, "half"
 .param p4, "text"
 .param p5, "depth"
 .line 20
 const/4 v0, 0x1
 if-gt p5, v0, :deeper
 .line 21
 invoke-static {p5}, Ldeep/Deep;->crash(I)V
 return v0
 :deeper
 .line 23
 const-wide v2, 0x100000000L
 add-long v2, v2, p0
 .local v2, "wider":J
 .line 24
 const-wide/high16 v4, 0x3ff0000000000000L
 add-double v4, v4, p2
 .local v4, "more":D
 .line 25
 move-object v6, p4
 add-int/lit8 v7, p5, -0x1
 .local v7, "less":I
 .line 26
 invoke-static/range {v2 .. v7}, Ldeep/Deep;->odd(JDLjava/lang/String;I)I
 move-result v0
 .end local v2
 .end local v4
 .end local v7
 .line 27
 return v0
.end method

# wide = (200 - depth + 1) << 32, half = (200 - depth) + 0.5
.method public static odd(JDLjava/lang/String;I)I
 .locals 8
 .param p0, "wide"
 .param p2, "half"
 .param p4, "text"
 .param p5, "depth"
 .line 40
 const/4 v0, 0x1
 if-gt p5, v0, :deeper
 .line 41
 invoke-static {p5}, Ldeep/Deep;->crash(I)V
 return v0
 :deeper
 .line 43
 const-wide v2, 0x100000000L
 add-long v2, v2, p0
 .local v2, "wider":J
 .line 44
 const-wide/high16 v4, 0x3ff0000000000000L
 add-double v4, v4, p2
 .local v4, "more":D
 .line 45
 move-object v6, p4
 add-int/lit8 v7, p5, -0x1
 .local v7, "less":I
 .line 46
 invoke-static/range {v2 .. v7}, Ldeep/Deep;->even(JDLjava/lang/String;I)I
 move-result v0
 .end local v2
 .end local v4
 .end local v7
 .line 47
 return v0
.end method
