# Every opcode of dex 039 once, in the order of their numbers. Only the forms
# matter: no verifier would accept the method.
.class public Lsample/Opcodes;
.super Ljava/lang/Object;
.source "Opcodes.java"

.field static s:I
.field i:I

.method public static every(IJLjava/lang/String;)V
    .registers 64
    .prologue
    .line 10

    :start
    .line 11
    nop
    .line 12
    move v1, v14
    .line 13
    move/from16 v40, v50
    .line 14
    move/16 v50, v60
    .line 15
    move-wide v1, v14
    .line 16
    move-wide/from16 v40, v50
    .line 17
    move-wide/16 v50, v60
    .line 18
    move-object v1, v14
    .line 19
    move-object/from16 v40, v50
    .line 20
    move-object/16 v50, v60
    .line 21
    move-result v63
    .line 22
    move-result-wide v63
    .line 23
    move-result-object v63
    .line 24
    move-exception v63
    .line 25
    return-void
    .line 26
    return v63
    .line 27
    return-wide v63
    .line 28
    return-object v63
    .line 29
    const/4 v2, -0x8
    .line 30
    const/16 v42, -0x8000
    .line 31
    const v5, 0x80000001
    .line 32
    const/high16 v43, 0x7fff0000
    .line 33
    const-wide/16 v42, -0x8000
    .line 34
    const-wide/32 v5, 0x80000001
    .line 35
    const-wide v6, 0x123456789abcdef0L
    .line 36
    const-wide/high16 v43, -0x7fff000000000000L
    .line 37
    const-string v44, "text \u00e9 \ud83d\ude00 \"q\""
    .line 38
    const-string/jumbo v5, "text \u00e9 \ud83d\ude00 \"q\""
    .line 39
    const-class v44, Ljava/lang/String;
    .line 40
    monitor-enter v63
    .line 41
    monitor-exit v63
    .line 42
    check-cast v44, Ljava/lang/String;
    .line 43
    instance-of v3, v4, Ljava/lang/String;
    .line 44
    array-length v1, v14
    .line 45
    new-instance v44, Ljava/lang/String;
    .line 46
    new-array v3, v4, [I
    .line 47
    filled-new-array {v1, v2, v3, v4, v5}, [I
    .line 48
    filled-new-array/range {v20 .. v40}, [I
    .line 49
    fill-array-data v5, :array
    .line 50
    throw v63
    .line 51
    goto :start
    .line 52
    goto/16 :start
    .line 53
    goto/32 :start
    .line 54
    packed-switch v5, :packed
    .line 55
    sparse-switch v5, :sparse
    .line 56
    cmpl-float v3, v60, v61
    .line 57
    cmpg-float v3, v60, v61
    .line 58
    cmpl-double v3, v60, v61
    .line 59
    cmpg-double v3, v60, v61
    .line 60
    cmp-long v3, v60, v61
    .line 61
    if-eq v3, v4, :end
    .line 62
    if-ne v3, v4, :end
    .line 63
    if-lt v3, v4, :end
    .line 64
    if-ge v3, v4, :end
    .line 65
    if-gt v3, v4, :end
    .line 66
    if-le v3, v4, :end
    .line 67
    if-eqz v41, :start
    .line 68
    if-nez v41, :start
    .line 69
    if-ltz v41, :start
    .line 70
    if-gez v41, :start
    .line 71
    if-gtz v41, :start
    .line 72
    if-lez v41, :start
    .line 73
    aget v3, v60, v61
    .line 74
    aget-wide v3, v60, v61
    .line 75
    aget-object v3, v60, v61
    .line 76
    aget-boolean v3, v60, v61
    .line 77
    aget-byte v3, v60, v61
    .line 78
    aget-char v3, v60, v61
    .line 79
    aget-short v3, v60, v61
    .line 80
    aput v3, v60, v61
    .line 81
    aput-wide v3, v60, v61
    .line 82
    aput-object v3, v60, v61
    .line 83
    aput-boolean v3, v60, v61
    .line 84
    aput-byte v3, v60, v61
    .line 85
    aput-char v3, v60, v61
    .line 86
    aput-short v3, v60, v61
    .line 87
    iget v3, v4, Lsample/Opcodes;->i:I
    .line 88
    iget-wide v3, v4, Lsample/Opcodes;->i:I
    .line 89
    iget-object v3, v4, Lsample/Opcodes;->i:I
    .line 90
    iget-boolean v3, v4, Lsample/Opcodes;->i:I
    .line 91
    iget-byte v3, v4, Lsample/Opcodes;->i:I
    .line 92
    iget-char v3, v4, Lsample/Opcodes;->i:I
    .line 93
    iget-short v3, v4, Lsample/Opcodes;->i:I
    .line 94
    iput v3, v4, Lsample/Opcodes;->i:I
    .line 95
    iput-wide v3, v4, Lsample/Opcodes;->i:I
    .line 96
    iput-object v3, v4, Lsample/Opcodes;->i:I
    .line 97
    iput-boolean v3, v4, Lsample/Opcodes;->i:I
    .line 98
    iput-byte v3, v4, Lsample/Opcodes;->i:I
    .line 99
    iput-char v3, v4, Lsample/Opcodes;->i:I
    .line 100
    iput-short v3, v4, Lsample/Opcodes;->i:I
    .line 101
    sget v44, Lsample/Opcodes;->s:I
    .line 102
    sget-wide v44, Lsample/Opcodes;->s:I
    .line 103
    sget-object v44, Lsample/Opcodes;->s:I
    .line 104
    sget-boolean v44, Lsample/Opcodes;->s:I
    .line 105
    sget-byte v44, Lsample/Opcodes;->s:I
    .line 106
    sget-char v44, Lsample/Opcodes;->s:I
    .line 107
    sget-short v44, Lsample/Opcodes;->s:I
    .line 108
    sput v44, Lsample/Opcodes;->s:I
    .line 109
    sput-wide v44, Lsample/Opcodes;->s:I
    .line 110
    sput-object v44, Lsample/Opcodes;->s:I
    .line 111
    sput-boolean v44, Lsample/Opcodes;->s:I
    .line 112
    sput-byte v44, Lsample/Opcodes;->s:I
    .line 113
    sput-char v44, Lsample/Opcodes;->s:I
    .line 114
    sput-short v44, Lsample/Opcodes;->s:I
    .line 115
    invoke-virtual {v1, v2, v3, v4, v5}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 116
    invoke-super {v1, v2, v3, v4, v5}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 117
    invoke-direct {v1, v2, v3, v4, v5}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 118
    invoke-static {v1, v2, v3, v4, v5}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 119
    invoke-interface {v1, v2, v3, v4, v5}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 120
    invoke-virtual/range {v20 .. v40}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 121
    invoke-super/range {v20 .. v40}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 122
    invoke-direct/range {v20 .. v40}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 123
    invoke-static/range {v20 .. v40}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 124
    invoke-interface/range {v20 .. v40}, Lsample/Opcodes;->every(IJLjava/lang/String;)V
    .line 125
    neg-int v1, v14
    .line 126
    not-int v1, v14
    .line 127
    neg-long v1, v14
    .line 128
    not-long v1, v14
    .line 129
    neg-float v1, v14
    .line 130
    neg-double v1, v14
    .line 131
    int-to-long v1, v14
    .line 132
    int-to-float v1, v14
    .line 133
    int-to-double v1, v14
    .line 134
    long-to-int v1, v14
    .line 135
    long-to-float v1, v14
    .line 136
    long-to-double v1, v14
    .line 137
    float-to-int v1, v14
    .line 138
    float-to-long v1, v14
    .line 139
    float-to-double v1, v14
    .line 140
    double-to-int v1, v14
    .line 141
    double-to-long v1, v14
    .line 142
    double-to-float v1, v14
    .line 143
    int-to-byte v1, v14
    .line 144
    int-to-char v1, v14
    .line 145
    int-to-short v1, v14
    .line 146
    add-int v3, v60, v61
    .line 147
    sub-int v3, v60, v61
    .line 148
    mul-int v3, v60, v61
    .line 149
    div-int v3, v60, v61
    .line 150
    rem-int v3, v60, v61
    .line 151
    and-int v3, v60, v61
    .line 152
    or-int v3, v60, v61
    .line 153
    xor-int v3, v60, v61
    .line 154
    shl-int v3, v60, v61
    .line 155
    shr-int v3, v60, v61
    .line 156
    ushr-int v3, v60, v61
    .line 157
    add-long v3, v60, v61
    .line 158
    sub-long v3, v60, v61
    .line 159
    mul-long v3, v60, v61
    .line 160
    div-long v3, v60, v61
    .line 161
    rem-long v3, v60, v61
    .line 162
    and-long v3, v60, v61
    .line 163
    or-long v3, v60, v61
    .line 164
    xor-long v3, v60, v61
    .line 165
    shl-long v3, v60, v61
    .line 166
    shr-long v3, v60, v61
    .line 167
    ushr-long v3, v60, v61
    .line 168
    add-float v3, v60, v61
    .line 169
    sub-float v3, v60, v61
    .line 170
    mul-float v3, v60, v61
    .line 171
    div-float v3, v60, v61
    .line 172
    rem-float v3, v60, v61
    .line 173
    add-double v3, v60, v61
    .line 174
    sub-double v3, v60, v61
    .line 175
    mul-double v3, v60, v61
    .line 176
    div-double v3, v60, v61
    .line 177
    rem-double v3, v60, v61
    .line 178
    add-int/2addr v1, v14
    .line 179
    sub-int/2addr v1, v14
    .line 180
    mul-int/2addr v1, v14
    .line 181
    div-int/2addr v1, v14
    .line 182
    rem-int/2addr v1, v14
    .line 183
    and-int/2addr v1, v14
    .line 184
    or-int/2addr v1, v14
    .line 185
    xor-int/2addr v1, v14
    .line 186
    shl-int/2addr v1, v14
    .line 187
    shr-int/2addr v1, v14
    .line 188
    ushr-int/2addr v1, v14
    .line 189
    add-long/2addr v1, v14
    .line 190
    sub-long/2addr v1, v14
    .line 191
    mul-long/2addr v1, v14
    .line 192
    div-long/2addr v1, v14
    .line 193
    rem-long/2addr v1, v14
    .line 194
    and-long/2addr v1, v14
    .line 195
    or-long/2addr v1, v14
    .line 196
    xor-long/2addr v1, v14
    .line 197
    shl-long/2addr v1, v14
    .line 198
    shr-long/2addr v1, v14
    .line 199
    ushr-long/2addr v1, v14
    .line 200
    add-float/2addr v1, v14
    .line 201
    sub-float/2addr v1, v14
    .line 202
    mul-float/2addr v1, v14
    .line 203
    div-float/2addr v1, v14
    .line 204
    rem-float/2addr v1, v14
    .line 205
    add-double/2addr v1, v14
    .line 206
    sub-double/2addr v1, v14
    .line 207
    mul-double/2addr v1, v14
    .line 208
    div-double/2addr v1, v14
    .line 209
    rem-double/2addr v1, v14
    .line 210
    add-int/lit16 v3, v4, 0x7fff
    .line 211
    rsub-int v3, v4, 0x7fff
    .line 212
    mul-int/lit16 v3, v4, 0x7fff
    .line 213
    div-int/lit16 v3, v4, 0x7fff
    .line 214
    rem-int/lit16 v3, v4, 0x7fff
    .line 215
    and-int/lit16 v3, v4, 0x7fff
    .line 216
    or-int/lit16 v3, v4, 0x7fff
    .line 217
    xor-int/lit16 v3, v4, 0x7fff
    .line 218
    add-int/lit8 v3, v60, -0x80
    .line 219
    rsub-int/lit8 v3, v60, -0x80
    .line 220
    mul-int/lit8 v3, v60, -0x80
    .line 221
    div-int/lit8 v3, v60, -0x80
    .line 222
    rem-int/lit8 v3, v60, -0x80
    .line 223
    and-int/lit8 v3, v60, -0x80
    .line 224
    or-int/lit8 v3, v60, -0x80
    .line 225
    xor-int/lit8 v3, v60, -0x80
    .line 226
    shl-int/lit8 v3, v60, -0x80
    .line 227
    shr-int/lit8 v3, v60, -0x80
    .line 228
    ushr-int/lit8 v3, v60, -0x80
    .line 229
    invoke-polymorphic {v1, v2}, Ljava/lang/invoke/MethodHandle;->invoke([Ljava/lang/Object;)Ljava/lang/Object;, (I)V
    .line 230
    invoke-polymorphic/range {v9 .. v9}, Ljava/lang/invoke/MethodHandle;->invoke([Ljava/lang/Object;)Ljava/lang/Object;, (I)V
    .line 231
    invoke-custom {v1, v2, v3, v4, v5}, site0("dynamic", (I)V)@Lsample/Opcodes;->link(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
    .line 232
    invoke-custom/range {v20 .. v40}, site0("dynamic", (I)V)@Lsample/Opcodes;->link(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
    .line 233
    const-method-handle v44, invoke-static@Lsample/Opcodes;->link(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
    .line 234
    const-method-type v44, (I[J)Ljava/lang/String;
    :end
    invoke-static {}, Lsample/Opcodes;->none()V
    invoke-static/range {}, Lsample/Opcodes;->none()V
    const/16 v0, 0x7
    return-void
    :packed
    .packed-switch -0x2
        :start
        :end
        :end
    .end packed-switch
    :sparse
    .sparse-switch
        -0x80000000 -> :start
        0x7fffffff -> :end
    .end sparse-switch
    :array
    .array-data 2
        0x1 -0x1 0x7fff
    .end array-data
    :bytes
    .array-data 1
        -0x80t 0x7ft 0x1t
    .end array-data
    :longs
    .array-data 8
        -0x8000000000000000L 0x5L
    .end array-data
.end method

.method static none()V
    .registers 0
    return-void
.end method
