package format

// A Tag is the kind of an entry (DWARF 5, table 7.3).
type Tag uint16

// The tags that mean something here.
const (
	TagArrayType                Tag = 0x01
	TagClassType                Tag = 0x02
	TagEnumerationType          Tag = 0x04
	TagFormalParameter          Tag = 0x05
	TagImportedDeclaration      Tag = 0x08
	TagLexicalBlock             Tag = 0x0b
	TagMember                   Tag = 0x0d
	TagPointerType              Tag = 0x0f
	TagReferenceType            Tag = 0x10
	TagDwarfProcedure           Tag = 0x36
	TagCommonBlock              Tag = 0x1a
	TagCompileUnit              Tag = 0x11
	TagStructureType            Tag = 0x13
	TagSubroutineType           Tag = 0x15
	TagStringType               Tag = 0x12
	TagTypedef                  Tag = 0x16
	TagUnionType                Tag = 0x17
	TagUnspecifiedParams        Tag = 0x18
	TagVariant                  Tag = 0x19
	TagInheritance              Tag = 0x1c
	TagInlinedSubroutine        Tag = 0x1d
	TagModule                   Tag = 0x1e
	TagPtrToMemberType          Tag = 0x1f
	TagSetType                  Tag = 0x20
	TagSubrangeType             Tag = 0x21
	TagBaseType                 Tag = 0x24
	TagConstType                Tag = 0x26
	TagConstant                 Tag = 0x27
	TagEnumerator               Tag = 0x28
	TagSubprogram               Tag = 0x2e
	TagTemplateTypeParam        Tag = 0x2f
	TagTemplateValueParam       Tag = 0x30
	TagVariantPart              Tag = 0x33
	TagVariable                 Tag = 0x34
	TagVolatileType             Tag = 0x35
	TagRestrictType             Tag = 0x37
	TagInterfaceType            Tag = 0x38
	TagNamespace                Tag = 0x39
	TagImportedModule           Tag = 0x3a
	TagUnspecifiedType          Tag = 0x3b
	TagPartialUnit              Tag = 0x3c
	TagImportedUnit             Tag = 0x3d
	TagRvalueReferenceType      Tag = 0x42
	TagTemplateAlias            Tag = 0x43
	TagGenericSubrange          Tag = 0x45
	TagAtomicType               Tag = 0x47
	TagCallSite                 Tag = 0x48
	TagCallSiteParameter        Tag = 0x49
	TagSkeletonUnit             Tag = 0x4a
	TagGNUTemplateParameterPack Tag = 0x4107
	TagGNUCallSite              Tag = 0x4109
	TagGNUCallSiteParameter     Tag = 0x410a
)

// An AttrName is an attribute's name (DWARF 5, table 7.5).
type AttrName uint16

// The attributes that mean something here.
const (
	AtSibling          AttrName = 0x01
	AtLocation         AttrName = 0x02
	AtName             AttrName = 0x03
	AtByteSize         AttrName = 0x0b
	AtBitOffset        AttrName = 0x0c // DWARF 2 and 3
	AtBitSize          AttrName = 0x0d
	AtStmtList         AttrName = 0x10
	AtLowPC            AttrName = 0x11
	AtHighPC           AttrName = 0x12
	AtLanguage         AttrName = 0x13
	AtDiscr            AttrName = 0x15
	AtDiscrValue       AttrName = 0x16
	AtCompDir          AttrName = 0x1b
	AtProducer         AttrName = 0x25
	AtEnumClass        AttrName = 0x6d
	AtImport           AttrName = 0x18
	AtConstValue       AttrName = 0x1c
	AtContainingType   AttrName = 0x1d
	AtStringLength     AttrName = 0x19
	AtOrdering         AttrName = 0x09
	AtLowerBound       AttrName = 0x22
	AtBitStride        AttrName = 0x2e
	AtUpperBound       AttrName = 0x2f
	AtAllocated        AttrName = 0x4e
	AtAssociated       AttrName = 0x4f
	AtDataLocation     AttrName = 0x50
	AtStringLengthSize AttrName = 0x70 // DW_AT_string_length_byte_size
	AtRank             AttrName = 0x71
	AtAbstractOrigin   AttrName = 0x31
	AtArtificial       AttrName = 0x34
	AtCount            AttrName = 0x37
	AtDataMemberLoc    AttrName = 0x38
	AtDeclFile         AttrName = 0x3a
	AtDeclLine         AttrName = 0x3b
	AtDeclaration      AttrName = 0x3c
	AtDiscrList        AttrName = 0x3d
	AtEncoding         AttrName = 0x3e
	AtExternal         AttrName = 0x3f
	AtFrameBase        AttrName = 0x40
	AtSpecification    AttrName = 0x47
	AtType             AttrName = 0x49
	atVtableElemLoc    AttrName = 0x4d
	AtRanges           AttrName = 0x55
	AtCallColumn       AttrName = 0x57
	AtCallFile         AttrName = 0x58
	AtCallLine         AttrName = 0x59
	AtByteStride       AttrName = 0x51
	AtBinaryScale      AttrName = 0x5b
	AtDecimalScale     AttrName = 0x5c
	AtSmall            AttrName = 0x5d
	AtGNUNumerator     AttrName = 0x2303
	AtGNUDenominator   AttrName = 0x2304
	AtGNUBias          AttrName = 0x2305
	AtDataBitOffset    AttrName = 0x6b
	AtSignature        AttrName = 0x69
	AtLinkageName      AttrName = 0x6e
	AtStrOffsetsBase   AttrName = 0x72
	AtAddrBase         AttrName = 0x73
	AtRnglistsBase     AttrName = 0x74
	AtDWOName          AttrName = 0x76
	AtCallReturnPC     AttrName = 0x7d
	AtCallValue        AttrName = 0x7e
	AtCallOrigin       AttrName = 0x7f
	AtCallTailCall     AttrName = 0x82
	AtCallTarget       AttrName = 0x83 // an expression for the function that is called
	AtAlignment        AttrName = 0x88
	AtLoclistsBase     AttrName = 0x8c
	AtMIPSLinkageName  AttrName = 0x2007
	AtGNUCallSiteValue AttrName = 0x2111
	AtGNUCallTarget    AttrName = 0x2113
	AtGNUTailCall      AttrName = 0x2115
	AtGNUDWOName       AttrName = 0x2130
	AtGNUDWOID         AttrName = 0x2131
	AtGNURangesBase    AttrName = 0x2132
	AtGNUAddrBase      AttrName = 0x2133
)

// A Form is how an attribute's value is encoded (DWARF 5, table 7.6).
type Form uint16

// The forms that are read.
const (
	FormAddr          Form = 0x01
	FormBlock2        Form = 0x03
	FormBlock4        Form = 0x04
	FormData2         Form = 0x05
	FormData4         Form = 0x06
	FormData8         Form = 0x07
	FormString        Form = 0x08
	FormBlock         Form = 0x09
	FormBlock1        Form = 0x0a
	FormData1         Form = 0x0b
	FormFlag          Form = 0x0c
	FormSdata         Form = 0x0d
	FormStrp          Form = 0x0e
	FormUdata         Form = 0x0f
	FormRefAddr       Form = 0x10
	FormRef1          Form = 0x11
	FormRef2          Form = 0x12
	FormRef4          Form = 0x13
	FormRef8          Form = 0x14
	FormRefUdata      Form = 0x15
	formIndirect      Form = 0x16
	FormSecOffset     Form = 0x17
	FormExprloc       Form = 0x18
	FormFlagPresent   Form = 0x19
	FormStrx          Form = 0x1a
	FormAddrx         Form = 0x1b
	FormRefSup4       Form = 0x1c
	FormStrpSup       Form = 0x1d
	FormData16        Form = 0x1e
	FormLineStrp      Form = 0x1f
	FormRefSig8       Form = 0x20
	FormImplicitConst Form = 0x21
	FormLoclistx      Form = 0x22
	FormRnglistx      Form = 0x23
	FormRefSup8       Form = 0x24
	FormStrx1         Form = 0x25
	FormStrx2         Form = 0x26
	FormStrx3         Form = 0x27
	FormStrx4         Form = 0x28
	FormAddrx1        Form = 0x29
	FormAddrx2        Form = 0x2a
	FormAddrx3        Form = 0x2b
	FormAddrx4        Form = 0x2c
	FormGNUAddrIndex  Form = 0x1f01
	FormGNUStrIndex   Form = 0x1f02
	FormGNURefAlt     Form = 0x1f20
	FormGNUStrpAlt    Form = 0x1f21
)
