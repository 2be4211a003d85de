package dwarf

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

// An attribute's name (DWARF 5, table 7.5).
type attr uint16

const (
	atSibling          attr = 0x01
	atLocation         attr = 0x02
	atName             attr = 0x03
	atByteSize         attr = 0x0b
	atBitOffset        attr = 0x0c // DWARF 2 and 3
	atBitSize          attr = 0x0d
	atStmtList         attr = 0x10
	atLowPC            attr = 0x11
	atHighPC           attr = 0x12
	atLanguage         attr = 0x13
	atDiscr            attr = 0x15
	atDiscrValue       attr = 0x16
	atCompDir          attr = 0x1b
	atProducer         attr = 0x25
	atImport           attr = 0x18
	atConstValue       attr = 0x1c
	atContainingType   attr = 0x1d
	atStringLength     attr = 0x19
	atOrdering         attr = 0x09
	atLowerBound       attr = 0x22
	atBitStride        attr = 0x2e
	atUpperBound       attr = 0x2f
	atAllocated        attr = 0x4e
	atAssociated       attr = 0x4f
	atDataLocation     attr = 0x50
	atStringLengthSize attr = 0x70 // DW_AT_string_length_byte_size
	atRank             attr = 0x71
	atAbstractOrigin   attr = 0x31
	atArtificial       attr = 0x34
	atCount            attr = 0x37
	atDataMemberLoc    attr = 0x38
	atDeclFile         attr = 0x3a
	atDeclLine         attr = 0x3b
	atDeclaration      attr = 0x3c
	atDiscrList        attr = 0x3d
	atEncoding         attr = 0x3e
	atExternal         attr = 0x3f
	atFrameBase        attr = 0x40
	atSpecification    attr = 0x47
	atType             attr = 0x49
	atVtableElemLoc    attr = 0x4d
	atRanges           attr = 0x55
	atCallColumn       attr = 0x57
	atCallFile         attr = 0x58
	atCallLine         attr = 0x59
	atByteStride       attr = 0x51
	atBinaryScale      attr = 0x5b
	atDecimalScale     attr = 0x5c
	atSmall            attr = 0x5d
	atGNUNumerator     attr = 0x2303
	atGNUDenominator   attr = 0x2304
	atGNUBias          attr = 0x2305
	atDataBitOffset    attr = 0x6b
	atSignature        attr = 0x69
	atLinkageName      attr = 0x6e
	atStrOffsetsBase   attr = 0x72
	atAddrBase         attr = 0x73
	atRnglistsBase     attr = 0x74
	atDWOName          attr = 0x76
	atCallReturnPC     attr = 0x7d
	atCallValue        attr = 0x7e
	atCallOrigin       attr = 0x7f
	atCallTailCall     attr = 0x82
	atCallTarget       attr = 0x83 // an expression for the function that is called
	atAlignment        attr = 0x88
	atLoclistsBase     attr = 0x8c
	atMIPSLinkageName  attr = 0x2007
	atGNUCallSiteValue attr = 0x2111
	atGNUCallTarget    attr = 0x2113
	atGNUTailCall      attr = 0x2115
	atGNUDWOName       attr = 0x2130
	atGNUDWOID         attr = 0x2131
	atGNURangesBase    attr = 0x2132
	atGNUAddrBase      attr = 0x2133
)

// A form is how an attribute's value is encoded (DWARF 5, table 7.6).
type form uint16

const (
	formAddr          form = 0x01
	formBlock2        form = 0x03
	formBlock4        form = 0x04
	formData2         form = 0x05
	formData4         form = 0x06
	formData8         form = 0x07
	formString        form = 0x08
	formBlock         form = 0x09
	formBlock1        form = 0x0a
	formData1         form = 0x0b
	formFlag          form = 0x0c
	formSdata         form = 0x0d
	formStrp          form = 0x0e
	formUdata         form = 0x0f
	formRefAddr       form = 0x10
	formRef1          form = 0x11
	formRef2          form = 0x12
	formRef4          form = 0x13
	formRef8          form = 0x14
	formRefUdata      form = 0x15
	formIndirect      form = 0x16
	formSecOffset     form = 0x17
	formExprloc       form = 0x18
	formFlagPresent   form = 0x19
	formStrx          form = 0x1a
	formAddrx         form = 0x1b
	formRefSup4       form = 0x1c
	formStrpSup       form = 0x1d
	formData16        form = 0x1e
	formLineStrp      form = 0x1f
	formRefSig8       form = 0x20
	formImplicitConst form = 0x21
	formLoclistx      form = 0x22
	formRnglistx      form = 0x23
	formRefSup8       form = 0x24
	formStrx1         form = 0x25
	formStrx2         form = 0x26
	formStrx3         form = 0x27
	formStrx4         form = 0x28
	formAddrx1        form = 0x29
	formAddrx2        form = 0x2a
	formAddrx3        form = 0x2b
	formAddrx4        form = 0x2c
	formGNUAddrIndex  form = 0x1f01
	formGNUStrIndex   form = 0x1f02
	formGNURefAlt     form = 0x1f20
	formGNUStrpAlt    form = 0x1f21
)

// A Language is the source language of a unit (DWARF 5, table 7.17).
type Language uint16

// The languages whose names and values are spelt in their own way.
const (
	LangD    Language = 0x13
	LangGo   Language = 0x16
	LangRust Language = 0x1c
)

// Ada reports whether the language is Ada, of any year.
func (l Language) Ada() bool { return l == 0x03 || l == 0x0d || l == 0x2e || l == 0x2f }

// lowest returns the index of an array's first element where its type does not say it (DWARF 5,
// table 7.17): 1 in Fortran, Ada, Pascal, COBOL, PL/I, Modula-2 and Julia, else 0.
func (l Language) lowest() int64 {
	switch l {
	case 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0d, 0x0e, 0x0f, 0x17, 0x1f, 0x22, 0x23, 0x2d, 0x2e, 0x2f:
		return 1
	}
	return 0
}

// C reports whether the language is a C: of 1989 to 2017.
func (l Language) C() bool {
	switch l {
	case 0x01, 0x02, 0x0c, 0x1d, 0x2c:
		return true
	}
	return false
}

// CPlusPlus reports whether the language is C++, of any year (DWARF 5, section 7.12; later codes by the DWARF
// committee).
func (l Language) CPlusPlus() bool {
	switch l {
	case 0x04, 0x11, 0x19, 0x1a, 0x21, 0x2a, 0x2b:
		return true
	}
	return false
}

// Fortran reports whether the language is Fortran, of any year.
func (l Language) Fortran() bool {
	switch l {
	case 0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d:
		return true
	}
	return false
}

// Pascal reports whether the language is Pascal or Modula.
func (l Language) Pascal() bool { return l == 0x09 || l == 0x0a || l == 0x17 }
